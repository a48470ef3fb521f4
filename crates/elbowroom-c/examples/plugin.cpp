// A collision plugin on top of elbowroom, written for the stand-ins of stand_in.hpp. It has not been compiled
// or run with MoveIt or Tesseract.
#include "stand_in.hpp"

#include <elbowroom.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

namespace er = elbowroom;
using stand_in::AllowedContacts;
using stand_in::Contact;
using stand_in::ContactRequest;
using stand_in::ContactResult;

// Make one for each thread, as a planner does with planning scenes. Copies share the world.
class CollisionEnvironment {
  public:
    enum class Which { Self, Cell, All };

    CollisionEnvironment(const std::string &path, double padding)
        : path_(path), world_(load(path, padding)), checker_(world_) {}

    const er::World &world() const { return world_; }

    // Padding is a part of the compiled shapes, so another padding needs another world. That takes as long as
    // loading. Plugins set it once.
    void set_padding(double padding) {
        const std::vector<double> values = checker_.values();
        world_ = load(path_, padding);
        checker_ = er::Checker(world_);
        checker_.set(values);
        allowed_.clear();
    }

    // The world already has what the SRDF and the world file allow. Only the differences are applied.
    void set_allowed(const AllowedContacts &matrix) {
        for (const auto &[names, allowed] : matrix.entries()) {
            const std::uint32_t a = world_.find_body(names.first), b = world_.find_body(names.second);
            const auto pair = std::make_pair(a, b);
            const bool is_allowed = allowed_.count(pair) > 0;
            if (allowed == stand_in::Allowed::Always && !is_allowed &&
                world_.pair_status(a, b) == ELBOWROOM_PAIR_STATUS_CHECKED) {
                checker_.allow_contact(a, b);
                allowed_.insert(pair);
            } else if (allowed == stand_in::Allowed::Never && is_allowed) {
                checker_.check_again(a, b);
                allowed_.erase(pair);
            }
        }
    }

    // MoveIt: checkSelfCollision, checkRobotCollision and checkCollision. Tesseract: contactTest.
    ContactResult check_state(const ContactRequest &request, er::Span<const double> values, Which which) {
        checker_.set_ignoring_limits(values);
        ContactResult result;
        er::Question question;
        question.margin = request.distance_threshold;
        if (!request.wants_contacts && !request.wants_distance && which == Which::All) {
            note_verdict(checker_.test(question).verdict, result);
            return result;
        }
        // Beyond the threshold only the nearest pair matters, and only where a distance is wanted.
        if (!request.wants_distance) question.cutoff = request.distance_threshold;
        result.distance = HUGE_VAL;
        er::Answer all;
        const std::vector<er::Answer> pairs = checker_.nearest_pairs(world_.pair_count(), question, &all);
        // Where no pair is checked, or a robot has no shape, the list of pairs does not show it.
        if (all.verdict == ELBOWROOM_VERDICT_UNKNOWN) note_verdict(all.verdict, result);
        for (const er::Answer &pair : pairs) {
            if (!is_wanted(pair, which)) continue;
            note_verdict(pair.verdict, result);
            result.distance = std::fmin(result.distance, pair.lower);
            const bool is_near = !(pair.lower > request.distance_threshold);
            if (request.wants_contacts && pair.has_points && is_near &&
                result.contacts.size() < request.max_contacts)
                result.contacts.push_back(contact_of(pair));
        }
        return result;
    }

    // MoveIt: checkRobotCollision of two states. Tesseract: the continuous contactTest. The answer holds for
    // every instant in between, not only for samples.
    ContactResult check_motion(er::Span<const double> from, er::Span<const double> to) {
        er::EdgeOptions options;
        options.only_whether_free = true;
        options.margin = 0.0;
        const er::Edge edge = checker_.edge(from, to, options);
        ContactResult result;
        result.is_unknown = edge.result == ELBOWROOM_EDGE_RESULT_UNKNOWN;
        result.is_collision = edge.result != ELBOWROOM_EDGE_RESULT_FREE;
        return result;
    }

  private:
    static er::World load(const std::string &path, double padding) {
        er::LoadOptions options;
        options.padding = padding;
        return er::World::load(path, options);
    }

    // Near bodies are proved apart. Unknown means stop, so a planner must take it for a collision.
    static void note_verdict(er::Verdict verdict, ContactResult &result) {
        const bool is_unknown = verdict == ELBOWROOM_VERDICT_UNKNOWN;
        result.is_unknown = result.is_unknown || is_unknown;
        result.is_collision = result.is_collision || is_unknown || verdict == ELBOWROOM_VERDICT_COLLISION;
    }

    bool is_of_cell(std::uint32_t body) const {
        return std::string(world_.body_name(body)).rfind("world/", 0) == 0;
    }

    bool is_wanted(const er::Answer &pair, Which which) const {
        const bool touches_cell = is_of_cell(pair.body_a) || is_of_cell(pair.body_b);
        return which == Which::All || touches_cell == (which == Which::Cell);
    }

    // Our normal points out of the second body, along the way on which the first escapes. Theirs is opposite.
    Contact contact_of(const er::Answer &pair) const {
        Contact contact = {world_.body_name(pair.body_a), world_.body_name(pair.body_b), {}, {}, {}, 0.0};
        for (int i = 0; i < 3; i++) {
            contact.points[0][i] = pair.point_a[i];
            contact.points[1][i] = pair.point_b[i];
            contact.position[i] = 0.5 * (pair.point_a[i] + pair.point_b[i]);
            contact.normal[i] = -pair.normal[i];
        }
        contact.depth = -pair.lower;
        return contact;
    }

    std::string path_;
    er::World world_;
    er::Checker checker_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> allowed_;
};

static void print_result(const char *what, const ContactResult &result) {
    std::printf("%s %s %.17g %zu\n", what, result.is_collision ? "collision" : "free", result.distance,
                result.contacts.size());
    for (const Contact &contact : result.contacts)
        std::printf("contact %s %s %.17g\n", contact.body_1.c_str(), contact.body_2.c_str(), contact.depth);
}

static void run(const char *path) {
    CollisionEnvironment environment(path, 0.0);
    const std::vector<double> upright = {0.0, 0.0}, at_wall = {1.3, 0.4};
    using Which = CollisionEnvironment::Which;

    ContactRequest yes_or_no, all;
    all.wants_contacts = all.wants_distance = true;
    all.max_contacts = 10;
    print_result("quick", environment.check_state(yes_or_no, at_wall, Which::All));
    print_result("self", environment.check_state(all, at_wall, Which::Self));
    print_result("cell", environment.check_state(all, at_wall, Which::Cell));
    print_result("motion", environment.check_motion(upright, at_wall));

    AllowedContacts matrix;
    matrix.set("arm/forearm", "world/wall", stand_in::Allowed::Always);
    matrix.set("arm/upper_arm", "world/wall", stand_in::Allowed::Always);
    environment.set_allowed(matrix);
    print_result("allowed", environment.check_state(all, at_wall, Which::Cell));
    print_result("allowed-motion", environment.check_motion(upright, at_wall));
    matrix.set("arm/forearm", "world/wall", stand_in::Allowed::Never);
    environment.set_allowed(matrix);
    print_result("again", environment.check_state(all, at_wall, Which::Cell));

    environment.set_padding(0.02);
    print_result("padded", environment.check_state(all, at_wall, Which::Cell));
}

int main(int count, char **words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s WORLD\n", words[0]);
        return 2;
    }
    try {
        run(words[1]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}

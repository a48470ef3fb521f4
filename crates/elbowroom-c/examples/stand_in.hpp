// Stand-ins of our own making for what planning frameworks pass to a collision plugin: a request, a result, a
// matrix of allowed contacts. They are no copy of MoveIt's or Tesseract's headers, and have only what
// plugin.cpp maps. docs/c.md says which part of the frameworks each one stands for.
#ifndef STAND_IN_HPP
#define STAND_IN_HPP

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stand_in {

struct ContactRequest {
    bool wants_contacts = false;        // MoveIt: contacts. Tesseract: a type other than FIRST
    std::size_t max_contacts = 1;       // MoveIt: max_contacts. Tesseract: contact_limit
    bool wants_distance = false;        // MoveIt: distance. Tesseract: calculate_distance
    double distance_threshold = 0.0;    // contacts nearer than this count (metres). Tesseract: margin data
};

struct Contact {
    std::string body_1, body_2;
    double position[3];                 // middle of the two points (world frame, metres)
    double points[2][3];                // nearest points of both bodies
    double normal[3];                   // from body_1 to body_2
    double depth;                       // >= 0 where they overlap; minus the distance where not
};

struct ContactResult {
    bool is_collision = false;
    bool is_unknown = false;            // neither framework has it: a plugin must say collision
    double distance = 0.0;              // a proved lower end
    std::vector<Contact> contacts;
};

enum class Allowed { Never, Always };

// By pairs of names, in either order.
class AllowedContacts {
  public:
    void set(const std::string &a, const std::string &b, Allowed allowed) {
        entries_[a < b ? std::make_pair(a, b) : std::make_pair(b, a)] = allowed;
    }
    const std::map<std::pair<std::string, std::string>, Allowed> &entries() const { return entries_; }

  private:
    std::map<std::pair<std::string, std::string>, Allowed> entries_;
};

} // namespace stand_in

#endif

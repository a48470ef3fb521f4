// elbowroom: proved clearances of robots. The guide is docs/c.md.
//
// Rules of all functions:
//
// - What a call writes to a pointer of a pointer is yours, and the _free of its kind takes it back. Null may
//   be freed. To use or free a freed pointer is undefined behaviour, as it is in C.
// - A call returns a status. elbowroom_last_error() has the words of the last failure of this thread. Calls
//   that return an answer instead return null, zero or ELBOWROOM_NONE where they fail.
// - Look at the status before the answer. A call that fails writes no answer, unless its words say so, and a
//   structure or an array of zeros reads as clear or free. A step of a guard always writes a command.
// - Null where something must be given is refused. That an array is as long as you say, that a text ends with
//   a zero, and that nobody writes to what you lend during the call, is your promise.
// - Texts are UTF-8. Lengths are metres, angles radians, times seconds. Arrays that go in and arrays that
//   come out may not overlap.
// - Structures of options are all zero by default: write `= {0}`, and set what you need.
// - Each function says which threads may call it. No call waits for another one.
//
// Made by cbindgen of crates/elbowroom-c/src. Do not edit.

#ifndef ELBOWROOM_H
#define ELBOWROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Stands for no body, no pair, no joint value and no arm.
#define ELBOWROOM_NONE 4294967295

// The most reasons that a command lists; further ones are counted.
#define ELBOWROOM_MAX_REASONS 8

// How a call ended. `elbowroom_last_error` has the words.
typedef enum ElbowroomStatus {
    // Done.
    ELBOWROOM_STATUS_OK = 0,
    // A pointer that must be given is null.
    ELBOWROOM_STATUS_NULL_POINTER = 1,
    // An argument makes no sense: a wrong length, an unknown number, a pointer that is not aligned.
    ELBOWROOM_STATUS_BAD_ARGUMENT = 2,
    // A text is not UTF-8.
    ELBOWROOM_STATUS_NOT_UTF8 = 3,
    // A file or a text cannot be read. The words have every fault, one a line.
    ELBOWROOM_STATUS_FILE_REFUSED = 4,
    // What was read makes no world. The words have every fault, one a line.
    ELBOWROOM_STATUS_WORLD_REFUSED = 5,
    // Joint values are no configuration within limits. The words name each value.
    ELBOWROOM_STATUS_POSE_REFUSED = 6,
    // A change of the cell makes no sense; everything stays as it was.
    ELBOWROOM_STATUS_CHANGE_REFUSED = 7,
    // A shape or its pose cannot be used.
    ELBOWROOM_STATUS_SHAPE_REFUSED = 8,
    // The settings of a guard, or an event, are refused.
    ELBOWROOM_STATUS_GUARD_REFUSED = 9,
    // The proof of a motion does not hold.
    ELBOWROOM_STATUS_NOT_PROVED = 10,
    // Another thread is using this object: one call at a time.
    ELBOWROOM_STATUS_BUSY = 11,
    // A defect of this library. The object of the call is refused from now on: free it.
    ELBOWROOM_STATUS_PANIC = 12,
    // The process was forked after its parent had used the library, so it lacks the library's threads.
    // Single questions work; worlds, shapes and batches are refused.
    ELBOWROOM_STATUS_FORKED = 13,
} ElbowroomStatus;

// Why two bodies are not checked against each other.
typedef enum ElbowroomPairStatus {
    // They are checked.
    ELBOWROOM_PAIR_STATUS_CHECKED = 0,
    // A file says so: an SRDF, or `[[allow]]` in a world file.
    ELBOWROOM_PAIR_STATUS_ALLOWED_BY_FILE = 1,
    // It follows from the world: neighbours, bodies without shapes, bodies that move as one, what is held.
    ELBOWROOM_PAIR_STATUS_ALLOWED_BY_RULE = 2,
    // There are no two such bodies.
    ELBOWROOM_PAIR_STATUS_NO_PAIR = 3,
} ElbowroomPairStatus;

// What a clearance means for a robot, from harmless to worst.
typedef enum ElbowroomVerdict {
    // Proved farther apart than the margin.
    ELBOWROOM_VERDICT_CLEAR = 0,
    // Proved apart, but not by the margin.
    ELBOWROOM_VERDICT_NEAR = 1,
    // Contact that the task intends. No function of this library returns it: distances are those of the
    // declared bodies, and pads do not count.
    ELBOWROOM_VERDICT_EXPECTED_CONTACT = 2,
    // Overlap is proved.
    ELBOWROOM_VERDICT_COLLISION = 3,
    // None of these is proved: stop.
    ELBOWROOM_VERDICT_UNKNOWN = 4,
} ElbowroomVerdict;

// Why a search stopped. It explains the width of an interval. The interval is proved in every case.
typedef enum ElbowroomStop {
    // Bounds alone decided, so there are no points.
    ELBOWROOM_STOP_NONE = 0,
    // A formula gave the answer.
    ELBOWROOM_STOP_CLOSED_FORM = 1,
    // The interval is as narrow as asked.
    ELBOWROOM_STOP_CONVERGED = 2,
    // The question was answered before the interval was narrow.
    ELBOWROOM_STOP_DECIDED = 3,
    // Rounding.
    ELBOWROOM_STOP_STALLED = 4,
    // The iteration limit was reached.
    ELBOWROOM_STOP_ITERATION_LIMIT = 5,
    // Overlap is proved, but its depth is only bracketed. Moving the first body along the normal by minus
    // the lower end is proved to separate the two.
    ELBOWROOM_STOP_BRACKETED = 6,
    // The surfaces are apart, but an open mesh shuts one body in.
    ELBOWROOM_STOP_SHUT_IN = 7,
} ElbowroomStop;

// What a motion is.
typedef enum ElbowroomEdgeResult {
    // Proved free at every instant. Only this allows the motion.
    ELBOWROOM_EDGE_RESULT_FREE = 0,
    // A pair is proved nearer than the margin, or in contact.
    ELBOWROOM_EDGE_RESULT_CONTACT = 1,
    // Neither is proved: stop.
    ELBOWROOM_EDGE_RESULT_UNKNOWN = 2,
} ElbowroomEdgeResult;

// Why nothing could be proved of a part of a motion.
typedef enum ElbowroomDoubt {
    // There is no doubt.
    ELBOWROOM_DOUBT_NONE = 0,
    // The pair touches at an end of the part.
    ELBOWROOM_DOUBT_TOUCHING = 1,
    // The distance of the pair comes too near to the margin to be decided.
    ELBOWROOM_DOUBT_CLOSE = 2,
    // The allowed work was done.
    ELBOWROOM_DOUBT_WORK = 3,
    // A pose is refused, a cloud was not seen, no pair is checked, or a robot has no shape.
    ELBOWROOM_DOUBT_NOTHING_KNOWN = 4,
} ElbowroomDoubt;

// What the arms may do until the next command.
typedef enum ElbowroomAction {
    // Go on.
    ELBOWROOM_ACTION_PERMIT = 0,
    // Go on, at the speed of the command.
    ELBOWROOM_ACTION_SLOW = 1,
    // Stop.
    ELBOWROOM_ACTION_STOP = 2,
} ElbowroomAction;

// The stop categories of IEC 60204-1.
typedef enum ElbowroomCategory {
    // Power is removed at once.
    ELBOWROOM_CATEGORY_ZERO = 0,
    // The arms brake, then power is removed.
    ELBOWROOM_CATEGORY_ONE = 1,
    // The arms brake and keep power.
    ELBOWROOM_CATEGORY_TWO = 2,
    // No stop.
    ELBOWROOM_CATEGORY_NONE = 3,
} ElbowroomCategory;

// A pose of a world, what was changed in its cell, and the memory of searches.
//
// Thread: any, one call at a time: make one for each thread. A call while another thread is in one ends with
// `ELBOWROOM_STATUS_BUSY` and does nothing.
typedef struct ElbowroomChecker ElbowroomChecker;

// A guard of a world: one for each stream of states.
//
// Thread: any, one call at a time. A call while another thread is in one ends with `ELBOWROOM_STATUS_BUSY`,
// and where it is a step its command is to stop.
typedef struct ElbowroomGuard ElbowroomGuard;

// A shape in its own frame, compiled once.
//
// Thread: any, many at once.
typedef struct ElbowroomShape ElbowroomShape;

// Robots and their cell, compiled. It never changes.
//
// Thread: any, many at once. What is made of a world keeps a share of it, so the world may be freed before.
typedef struct ElbowroomWorld ElbowroomWorld;

// How a world is read. All zero is the default; a null pointer stands for the default too:
// `ElbowroomLoadOptions options = {0};`.
typedef struct ElbowroomLoadOptions {
    // Folders that hold packages: `package://NAME/rest` is looked for as `FOLDER/NAME/rest`.
    const char *const *package_paths;
    // How many there are.
    size_t package_path_count;
    // The SRDF to use; null for the one beside the URDF, if there is one.
    const char *srdf;
    // Use no SRDF.
    bool no_srdf;
    // Do not check two links that overlap at the zero pose, where one moving joint would join them if links
    // without shapes were left out.
    bool allow_zero_overlaps;
    // Clearance below which a verdict is `near` (metres); null for the file's.
    const double *margin;
    // Added to the padding of all shapes of robots (metres); null for the file's.
    const double *padding;
} ElbowroomLoadOptions;

// A frame in another one: the rotation's rows, and the origin (metres). A point `p` of the inner frame is
// `rotation p + translation` in the outer one.
typedef struct ElbowroomPose {
    // Rows of the rotation, orthonormal.
    double rotation[3][3];
    // Origin of the inner frame in the outer one (metres).
    double translation[3];
} ElbowroomPose;

// Settings of a question. All zero is the default; a null pointer stands for the default too.
typedef struct ElbowroomQuestion {
    // Clearance below which the verdict is `near` (metres); null for the world's margin.
    const double *margin;
    // Pairs proved farther apart than this need no exact distance (metres); null for infinity.
    const double *cutoff;
    // Whether meshes count as their convex hulls.
    bool use_hulls;
    // Whether depths of meshes that are not convex are bracketed to a hundredth.
    bool tight_depth;
} ElbowroomQuestion;

// A proved answer, of all checked pairs together or of one.
typedef struct ElbowroomAnswer {
    // What the interval means.
    enum ElbowroomVerdict verdict;
    // Why the search of the pair stopped.
    enum ElbowroomStop stop;
    // The signed distance is at least this (metres); minus infinity where nothing is proved.
    double lower;
    // And at most this; infinite where only a lower bound was wanted.
    double upper;
    // One number of the interval, for people.
    double distance;
    // The nearest pair, as far as that is known; ELBOWROOM_NONE where no pair is checked.
    uint32_t pair;
    // Its first body; ELBOWROOM_NONE for none.
    uint32_t body_a;
    // Its second body.
    uint32_t body_b;
    // Whether there are points.
    bool has_points;
    // Point of the first body that is nearest, or deepest (metres, world frame).
    double point_a[3];
    // Point of the second body.
    double point_b[3];
    // Unit vector along which the first body escapes from the second.
    double normal[3];
} ElbowroomAnswer;

// The distance of two shapes. Points and directions are in the world frame (metres).
typedef struct ElbowroomClearance {
    // The signed distance is at least this.
    double lower;
    // And at most this.
    double upper;
    // Whether there are points.
    bool has_points;
    // Point of the first shape that is nearest, or deepest.
    double point_a[3];
    // Point of the second shape.
    double point_b[3];
    // Unit vector along which the first shape escapes from the second.
    double normal[3];
    // Why the search stopped.
    enum ElbowroomStop stop;
} ElbowroomClearance;

// The clearance of one pose of many.
typedef struct ElbowroomInterval {
    // The signed distance is at least this (metres); minus infinity for a pose that is refused.
    double lower;
    // And at most this.
    double upper;
    // The nearest pair; ELBOWROOM_NONE for none.
    uint32_t pair;
    // What the interval means; unknown for a pose that is refused.
    enum ElbowroomVerdict verdict;
} ElbowroomInterval;

// Settings of a question about a motion. All zero is the default; a null pointer stands for the default too.
typedef struct ElbowroomEdgeOptions {
    // Ask only whether it is free. Any contact ends the search, and need not be the first. Most motions that
    // are not free then cost a tenth.
    bool only_whether_free;
    // Whether meshes count as their convex hulls.
    bool use_hulls;
    // Take ends outside of limits.
    bool ignore_limits;
    // Free means farther apart than this, contact means nearer (metres); null for the world's margin.
    const double *margin;
    // A part of the motion within which an undecided pair moves less than this is not halved again (metres);
    // null for a micrometre.
    const double *resolution;
    // How much work is done at most; 0 for the default, which takes a second or some.
    uint64_t work;
} ElbowroomEdgeOptions;

// The answer for a motion. Fractions are numbers from 0, its start, to 1, its end.
typedef struct ElbowroomEdge {
    // What the motion is.
    enum ElbowroomEdgeResult result;
    // Why nothing is proved, where `result` is unknown.
    enum ElbowroomDoubt doubt;
    // Two fractions of the motion. Contact: the pair is proved free before the first, and in contact at the
    // second. Unknown: between them nothing is proved. Free: 1 and 1.
    double at[2];
    // Before this fraction every pair is proved free.
    double free_until;
    // The pair; ELBOWROOM_NONE for none.
    uint32_t body_a;
    // Its second body.
    uint32_t body_b;
    // How many parts the proof has.
    size_t piece_count;
} ElbowroomEdge;

// What was measured at one time, of all arms or of one. A null array was not measured.
typedef struct ElbowroomState {
    // When (s), on a clock that never runs back.
    double t;
    // The arm, by the order of the robots that move; ELBOWROOM_NONE for all of them.
    uint32_t arm;
    // How many values each of the following five has.
    size_t count;
    // Positions (rad, m). They must be given.
    const double *positions;
    // Velocities (rad/s, m/s). Without them they are taken from differences.
    const double *velocities;
    // Velocities with which the controller would go on if nothing slowed it.
    const double *asked;
    // Efforts (N m, N).
    const double *efforts;
    // Currents of the motors (A).
    const double *currents;
    // Forces on the hands (N, >= 0), of each arm of the state.
    const double *forces;
    // How many forces there are.
    size_t force_count;
} ElbowroomState;

// Why a command is not to go on at full speed.
typedef struct ElbowroomReason {
    // What it is, in one word for programs: those of docs/monitor.md, as in `collision`. Never null.
    const char *word;
    // More about it, for a person; without a zero at its end. It lives as long as the program.
    const char *says;
    // How many bytes `says` has.
    size_t says_length;
    // The two bodies, the same twice where it is about one; ELBOWROOM_NONE for none.
    uint32_t body_a;
    // The second body.
    uint32_t body_b;
    // The joint value; ELBOWROOM_NONE for none.
    uint32_t value;
    // The arm; ELBOWROOM_NONE for none.
    uint32_t arm;
    // What was measured or proved, in the unit of the limit.
    double measured;
    // What it must not exceed, or fall below.
    double limit;
} ElbowroomReason;

// A command, until the next one.
typedef struct ElbowroomCommand {
    // The number of the step, from 1.
    uint64_t step;
    // The time of the state that was judged (s).
    double t;
    // What the arms may do.
    enum ElbowroomAction action;
    // How to stop.
    enum ElbowroomCategory category;
    // At which part of the speed that they have asked for, from 0 to 1: 1 to go on, 0 to stop.
    double speed;
    // The smallest signed distance at the measured positions is at least this (metres); minus infinity where
    // it was not measured.
    double lower;
    // And at most this.
    double upper;
    // Its pair; ELBOWROOM_NONE for none.
    uint32_t body_a;
    // The second body.
    uint32_t body_b;
    // How many reasons are listed.
    uint32_t reason_count;
    // How many are not.
    uint32_t more;
    // The reasons, those that were found first first.
    struct ElbowroomReason reasons[ELBOWROOM_MAX_REASONS];
    // The contact that the operator is asked about; ELBOWROOM_NONE for none.
    uint32_t ask_a;
    // Its second body.
    uint32_t ask_b;
    // Fingerprint of the world and of everything that the guard was told.
    uint64_t fingerprint;
} ElbowroomCommand;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The words of the last call of this thread that failed, for a person; empty before the first. They are
// valid until the next call of this thread that fails.
//
// Thread: any; each has its own words.
const char *elbowroom_last_error(void);

// The version of the library, as in `0.1.0`.
//
// Thread: any.
const char *elbowroom_version(void);

// The word of a status, as in `pose_refused`.
//
// Thread: any.
const char *elbowroom_status_word(uint32_t status);

// Frees a world; null is fine. What was made of it stays. Its texts are gone.
//
// Thread: any, but no other thread may use this pointer any more.
void elbowroom_world_free(struct ElbowroomWorld *world);

// What was noticed while the world was read, one a line; empty for nothing. It lives as long as `world`.
//
// Thread: any.
const char *elbowroom_world_warnings(const struct ElbowroomWorld *world);

// How many joint values a pose has; 0 where `world` is null.
//
// Thread: any.
size_t elbowroom_world_dof_count(const struct ElbowroomWorld *world);

// The full name of a joint value (`robot/joint`), in the order of values; null for a number that the world
// does not have. It lives as long as `world`.
//
// Thread: any.
const char *elbowroom_world_dof_name(const struct ElbowroomWorld *world,
                                     uint32_t dof);

// The number of the joint value with a full name; ELBOWROOM_NONE where there is none.
//
// Thread: any.
uint32_t elbowroom_world_find_dof(const struct ElbowroomWorld *world, const char *name);

// The limits of all joint values (radians, metres), mimics included; infinite where there are none. Each
// array has room for as many numbers as there are joint values.
//
// Thread: any.
enum ElbowroomStatus elbowroom_world_limits(const struct ElbowroomWorld *world,
                                            double *lower,
                                            double *upper,
                                            size_t count);

// Joint values to start from: zero, or the number nearest to zero that all limits allow.
//
// Thread: any.
enum ElbowroomStatus elbowroom_world_neutral(const struct ElbowroomWorld *world,
                                             double *values,
                                             size_t count);

// Draws a random pose within all limits. `seed` is any number at first, and changes: the same seed gives the
// same poses on every machine.
//
// Thread: any; each with a seed of its own.
enum ElbowroomStatus elbowroom_world_draw(const struct ElbowroomWorld *world,
                                          uint64_t *seed,
                                          double *values,
                                          size_t count);

// How many bodies the world has: links, obstacles, spare places and clouds.
//
// Thread: any.
size_t elbowroom_world_body_count(const struct ElbowroomWorld *world);

// The full name of a body (`robot/link`, `world/obstacle`); null for a number that the world does not have.
// It lives as long as `world`.
//
// Thread: any.
const char *elbowroom_world_body_name(const struct ElbowroomWorld *world,
                                      uint32_t body);

// The number of the body with a full name; ELBOWROOM_NONE where there is none.
//
// Thread: any.
uint32_t elbowroom_world_find_body(const struct ElbowroomWorld *world, const char *name);

// How many pairs of bodies are checked.
//
// Thread: any.
size_t elbowroom_world_pair_count(const struct ElbowroomWorld *world);

// Whether two bodies are checked against each other in this world, before a checker changes it.
//
// Thread: any.
enum ElbowroomPairStatus elbowroom_world_pair_status(const struct ElbowroomWorld *world,
                                                     uint32_t a,
                                                     uint32_t b);

// The margin of the world (metres): closer than this is `near`. NaN where `world` is null.
//
// Thread: any.
double elbowroom_world_margin(const struct ElbowroomWorld *world);

// Reads a robot (`.urdf`, with the `.srdf` beside it) or a world file (`.toml`), and compiles it. Where it
// is refused, the words have every fault of every file, one a line.
//
// Thread: any.
enum ElbowroomStatus elbowroom_world_load(const char *path,
                                          const struct ElbowroomLoadOptions *options,
                                          struct ElbowroomWorld **world);

// [elbowroom_world_load] of a text in memory, `length` bytes of UTF-8. It is read as if it lay at `path`:
// the ending says what it is (`cell.toml`, `arm.urdf`), and the files that it names are looked for beside
// it, on the disk.
//
// Thread: any.
enum ElbowroomStatus elbowroom_world_from_text(const char *text,
                                               size_t length,
                                               const char *path,
                                               const struct ElbowroomLoadOptions *options,
                                               struct ElbowroomWorld **world);

// The pose that moves nothing.
//
// Thread: any.
struct ElbowroomPose elbowroom_pose_identity(void);

// A pose from three lengths (metres) and three angles about x, y and z (radians), as URDF has them. `xyz`
// and `rpy` are arrays of three; `rpy` may be null for no turn.
//
// Thread: any.
enum ElbowroomStatus elbowroom_pose_from_xyz_rpy(const double *xyz,
                                                 const double *rpy,
                                                 struct ElbowroomPose *pose);

// A pose from three lengths (metres) and a quaternion, the real part first; it is normalized. ROS
// messages and Eigen's `coeffs()` have the real part last.
//
// Thread: any.
enum ElbowroomStatus elbowroom_pose_from_xyz_quat_wxyz(const double *xyz,
                                                       const double *quat_wxyz,
                                                       struct ElbowroomPose *pose);

// The word of a verdict, as in `near`. A number that is no verdict is `unknown`.
//
// Thread: any.
const char *elbowroom_verdict_word(uint32_t verdict);

// Makes a checker at the world's neutral values. It allocates here, and hardly after.
//
// Thread: any.
enum ElbowroomStatus elbowroom_checker_new(const struct ElbowroomWorld *world,
                                           struct ElbowroomChecker **checker);

// Makes another checker in the same state: joint values, changes of the cell, and memory.
//
// Thread: any that may use `checker`.
enum ElbowroomStatus elbowroom_checker_clone(const struct ElbowroomChecker *checker,
                                             struct ElbowroomChecker **copy);

// Frees a checker; null is fine.
//
// Thread: any, but no other thread may use this pointer any more.
void elbowroom_checker_free(struct ElbowroomChecker *checker);

// Moves everything to joint values (radians, metres; order of elbowroom_world_dof_name). Values outside
// limits are refused, never clamped, and the pose stays.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_set(struct ElbowroomChecker *checker,
                                           const double *values,
                                           size_t count);

// [elbowroom_checker_set], and values outside limits are taken.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_set_ignoring_limits(struct ElbowroomChecker *checker,
                                                           const double *values,
                                                           size_t count);

// The joint values of the pose.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_values(const struct ElbowroomChecker *checker,
                                              double *values,
                                              size_t count);

// Where a body is at this pose (world frame).
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_body_pose(const struct ElbowroomChecker *checker,
                                                 uint32_t body,
                                                 struct ElbowroomPose *pose);

// Whether everything is farther apart than the margin: the quickest question. The interval is as wide as
// the first proof left it. `question` may be null.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_test(struct ElbowroomChecker *checker,
                                            const struct ElbowroomQuestion *question,
                                            struct ElbowroomAnswer *answer);

// A number that the clearance is not below, without a search for its last digits. `question` may be null.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_lower_bound(struct ElbowroomChecker *checker,
                                                   const struct ElbowroomQuestion *question,
                                                   struct ElbowroomAnswer *answer);

// The clearance: the smallest signed distance of all checked pairs, its pair and its two points. `question`
// may be null.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_nearest(struct ElbowroomChecker *checker,
                                               const struct ElbowroomQuestion *question,
                                               struct ElbowroomAnswer *answer);

// The nearest pairs, at most `room`, the nearest first, with their points; `count` is how many there are.
// With a cutoff in the question they are all pairs that are not proved to be farther apart. `all` gets the
// answer for all pairs together, and null is allowed. A `count` of 0 does not mean clear: where no pair is
// checked, or a robot has no shape, the verdict of `all` is unknown. `question` may be null.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_nearest_pairs(struct ElbowroomChecker *checker,
                                                     const struct ElbowroomQuestion *question,
                                                     struct ElbowroomAnswer *answers,
                                                     size_t room,
                                                     size_t *count,
                                                     struct ElbowroomAnswer *all);

// How the signed distance of an answer's pair changes with each joint value (metres a radian, or metres a
// metre), while the checker is at the pose of this answer. This library must have written the answer.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_gradient(struct ElbowroomChecker *checker,
                                                const struct ElbowroomAnswer *answer,
                                                double *gradient,
                                                size_t count);

// Forgets what earlier questions left. That changes how fast an answer comes and the last digits of a
// distance, never what is proved. Call it where an answer must not depend on earlier questions.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_forget_history(struct ElbowroomChecker *checker);

// A ball about the origin. `padding` grows it, as that of all shapes (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_sphere(double radius,
                                            double padding,
                                            struct ElbowroomShape **shape);

// A box about the origin, with its full extents along x, y and z (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_box(double x,
                                         double y,
                                         double z,
                                         double padding,
                                         struct ElbowroomShape **shape);

// All points within `radius` of a segment of `length` on z, about the origin (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_capsule(double radius,
                                             double length,
                                             double padding,
                                             struct ElbowroomShape **shape);

// A flat-capped cylinder along z, about the origin (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_cylinder(double radius,
                                              double length,
                                              double padding,
                                              struct ElbowroomShape **shape);

// A cone along z: its base at minus half of its length, its apex at half of it (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_cone(double radius,
                                          double length,
                                          double padding,
                                          struct ElbowroomShape **shape);

// An ellipsoid about the origin, with its half axes along x, y and z (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_ellipsoid(double x,
                                               double y,
                                               double z,
                                               double padding,
                                               struct ElbowroomShape **shape);

// The convex hull of points, three numbers each (metres).
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_convex(const double (*points)[3],
                                            size_t point_count,
                                            double padding,
                                            struct ElbowroomShape **shape);

// Triangles: a solid if they close, a surface otherwise. Three numbers a corner (metres), three numbers of
// corners a triangle.
//
// Thread: any.
enum ElbowroomStatus elbowroom_shape_mesh(const double (*vertices)[3],
                                          size_t vertex_count,
                                          const uint32_t (*triangles)[3],
                                          size_t triangle_count,
                                          double padding,
                                          struct ElbowroomShape **shape);

// Frees a shape; null is fine. Checkers that have it keep it.
//
// Thread: any, but no other thread may use this pointer any more.
void elbowroom_shape_free(struct ElbowroomShape *shape);

// The proved signed distance of two shapes at poses in the world. A null pose is the identity.
//
// Thread: any, many at once.
enum ElbowroomStatus elbowroom_shape_distance(const struct ElbowroomShape *a,
                                              const struct ElbowroomPose *a_in_world,
                                              const struct ElbowroomShape *b,
                                              const struct ElbowroomPose *b_in_world,
                                              struct ElbowroomClearance *clearance);

// Puts a movable body somewhere else (world frame). What it carries moves with it.
//
// Thread: one at a time for each checker, as for all changes. Other checkers of the world do not see them.
enum ElbowroomStatus elbowroom_checker_place(struct ElbowroomChecker *checker,
                                             uint32_t body,
                                             const struct ElbowroomPose *body_in_world);

// Attaches a movable body to a carrier, a link or another movable body: from where both are now, or at a
// pose in the carrier's frame. While it is carried it may touch the carrier, the bodies of `touch`, and what
// the world file names for it. `body_in_carrier` may be null for where both are, `touch` for no bodies.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_attach(struct ElbowroomChecker *checker,
                                              uint32_t body,
                                              uint32_t carrier,
                                              const struct ElbowroomPose *body_in_carrier,
                                              const uint32_t *touch,
                                              size_t touch_count);

// Lets a carried body go: it rests where it is now.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_detach(struct ElbowroomChecker *checker, uint32_t body);

// Takes a movable body out of the cell, until elbowroom_checker_show. It keeps its place and its carrier.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_hide(struct ElbowroomChecker *checker,
                                            uint32_t body);

// Ends elbowroom_checker_hide.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_show(struct ElbowroomChecker *checker, uint32_t body);

// Moves a door along its joint to a value (radians or metres).
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_set_door(struct ElbowroomChecker *checker,
                                                uint32_t body,
                                                double value);

// Puts a shape into a spare place of the world (`[[spare]]` of a world file), instead of what was in it.
// Where the place is, elbowroom_checker_place says. The checker keeps a share of the shape. A mesh must be
// its own hull.
//
// Thread: one at a time for each checker; the shape may be used by many at once.
enum ElbowroomStatus elbowroom_checker_insert_obstacle(struct ElbowroomChecker *checker,
                                                       uint32_t place,
                                                       const struct ElbowroomShape *shape);

// Takes out what fills a spare place.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_remove_obstacle(struct ElbowroomChecker *checker,
                                                       uint32_t place);

// Replaces the points of a cloud: three numbers each (metres, world frame). Until a cloud has points,
// verdicts are unknown.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_update_cloud(struct ElbowroomChecker *checker,
                                                    uint32_t cloud,
                                                    const double (*points)[3],
                                                    size_t point_count);

// Stops checking a pair that the world checks, until elbowroom_checker_check_again.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_allow_contact(struct ElbowroomChecker *checker,
                                                     uint32_t a,
                                                     uint32_t b);

// Ends elbowroom_checker_allow_contact.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_check_again(struct ElbowroomChecker *checker,
                                                   uint32_t a,
                                                   uint32_t b);

// The verdict of each of many poses, as of elbowroom_checker_test, in the cell as this checker has it.
// `rows` has `value_count` numbers, one row of joint values for each of `pose_count` poses. `threads` is the
// number of threads, 0 for all cores. Where rows are no configurations, their verdicts are unknown, the
// status is `ELBOWROOM_STATUS_POSE_REFUSED`, the words name the first of them, and all other rows have their
// answers. `question` may be null.
//
// Thread: one at a time for each checker; it starts threads of its own, which end with the checker or, where
// `threads` is 0, with the program.
enum ElbowroomStatus elbowroom_checker_test_batch(struct ElbowroomChecker *checker,
                                                  const double *rows,
                                                  size_t value_count,
                                                  const struct ElbowroomQuestion *question,
                                                  size_t threads,
                                                  enum ElbowroomVerdict *verdicts,
                                                  size_t pose_count);

// The clearance of each of many poses, as of elbowroom_checker_nearest, without the points. All else is as
// for elbowroom_checker_test_batch.
//
// Thread: as elbowroom_checker_test_batch.
enum ElbowroomStatus elbowroom_checker_nearest_batch(struct ElbowroomChecker *checker,
                                                     const double *rows,
                                                     size_t value_count,
                                                     const struct ElbowroomQuestion *question,
                                                     size_t threads,
                                                     struct ElbowroomInterval *intervals,
                                                     size_t pose_count);

// Whether the straight motion of all joint values between two poses is free at every instant, with the cell
// as this checker has it. Each pose is an array of `count` values. The checker's own pose does not matter,
// and stays. `options` may be null.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_edge(struct ElbowroomChecker *checker,
                                            const double *from,
                                            const double *to,
                                            size_t count,
                                            const struct ElbowroomEdgeOptions *options,
                                            struct ElbowroomEdge *edge);

// Checks the proof of this checker's last motion from the numbers of the proof alone, for the same ends and
// options. The motion must have been free.
//
// Thread: one at a time for each checker.
enum ElbowroomStatus elbowroom_checker_verify_edge(struct ElbowroomChecker *checker,
                                                   const double *from,
                                                   const double *to,
                                                   size_t count,
                                                   const struct ElbowroomEdgeOptions *options);

// Makes a guard of a world from the table `[guard]` of the world file that the world was made from. Where it
// is refused, the words have every fault, one a line.
//
// Thread: any.
enum ElbowroomStatus elbowroom_guard_load(const struct ElbowroomWorld *world,
                                          const char *path,
                                          struct ElbowroomGuard **guard);

// [elbowroom_guard_load] of a text in memory, `length` bytes of UTF-8, read as if it lay at `path`.
//
// Thread: any.
enum ElbowroomStatus elbowroom_guard_from_text(const struct ElbowroomWorld *world,
                                               const char *text,
                                               size_t length,
                                               const char *path,
                                               struct ElbowroomGuard **guard);

// Frees a guard; null is fine.
//
// Thread: any, but no other thread may use this pointer any more.
void elbowroom_guard_free(struct ElbowroomGuard *guard);

// Judges a state. `command` is written whatever the status is: where no step could be made, it is to stop at
// once. A step allocates nothing, and its work is bounded.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_step(struct ElbowroomGuard *guard,
                                          const struct ElbowroomState *state,
                                          struct ElbowroomCommand *command);

// Judges silence: no state came until `now` (s, clock of the states). Call this when the setting `late` has
// passed since the last state.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_step_without(struct ElbowroomGuard *guard,
                                                  double now,
                                                  struct ElbowroomCommand *command);

// A person has seen to a fault: the guard judges again. `t` is a time on the clock of the states (s), as in
// all events.
//
// Thread: one at a time for each guard. So for all events.
enum ElbowroomStatus elbowroom_guard_reset(struct ElbowroomGuard *guard,
                                           double t);

// A body is somewhere else (world frame). `teleport` says that it may be anywhere: somebody carried it
// there.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_place(struct ElbowroomGuard *guard,
                                           double t,
                                           uint32_t body,
                                           const struct ElbowroomPose *body_in_world,
                                           bool teleport);

// A link takes a body, at the place where it is. `touch` names the bodies that it touches now, and may until
// they part; null for none.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_attach(struct ElbowroomGuard *guard,
                                            double t,
                                            uint32_t body,
                                            uint32_t carrier,
                                            const uint32_t *touch,
                                            size_t touch_count);

// A body is let go where it is.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_detach(struct ElbowroomGuard *guard, double t, uint32_t body);

// A body is gone. For a cloud or a person: nothing is there until the next report of it.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_hide(struct ElbowroomGuard *guard, double t, uint32_t body);

// A body is there again.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_show(struct ElbowroomGuard *guard, double t, uint32_t body);

// A door has another value (rad, m).
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_open(struct ElbowroomGuard *guard,
                                          double t,
                                          uint32_t body,
                                          double value);

// The points that a sensor sees now, at least one (world frame, metres).
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_see(struct ElbowroomGuard *guard,
                                         double t,
                                         uint32_t cloud,
                                         const double (*points)[3],
                                         size_t point_count);

// A spare place has this shape now.
//
// Thread: one at a time for each guard; the shape may be used by many at once.
enum ElbowroomStatus elbowroom_guard_insert_obstacle(struct ElbowroomGuard *guard,
                                                     double t,
                                                     uint32_t place,
                                                     const struct ElbowroomShape *shape);

// A spare place is empty now.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_remove_obstacle(struct ElbowroomGuard *guard,
                                                     double t,
                                                     uint32_t place);

// The task of an arm from now on: it takes the object of `body` until `until` (s), from the support `from`.
// ELBOWROOM_NONE as `from` means no support that the object may still touch; as `arm` it means all arms. The
// new task replaces the old one.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_mean_pick(struct ElbowroomGuard *guard,
                                               double t,
                                               uint32_t arm,
                                               uint32_t body,
                                               uint32_t from,
                                               double until);

// The task of an arm from now on: it puts the object of `body` on the support `on`, until `until` (s).
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_mean_place(struct ElbowroomGuard *guard,
                                                double t,
                                                uint32_t arm,
                                                uint32_t body,
                                                uint32_t on,
                                                double until);

// The arm, or all of them with ELBOWROOM_NONE, has no task from now on.
//
// Thread: one at a time for each guard.
enum ElbowroomStatus elbowroom_guard_mean_nothing(struct ElbowroomGuard *guard,
                                                  double t,
                                                  uint32_t arm);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ELBOWROOM_H */

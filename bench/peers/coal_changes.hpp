// A world that changes, with coal: obstacles are objects of a `DynamicAABBTreeCollisionManager` that learns
// of each change, by `update` of what was placed. What a hand holds is taken out of it (`unregisterObject`),
// asked for itself, and put back. A manager made anew, which is what MoveIt does for a scene that it has
// copied, is cleared, given all objects again and set up.
#pragma once
#include "coal_whole.hpp"

struct CoalChanges : CoalWhole {
  std::vector<coal::Transform3s> at, homes;      // of each change; of each obstacle at first
  std::vector<coal::CollisionObject*> all, some;  // obstacles; those that a step has placed
  std::vector<coal::CollisionObject*> meets;      // bodies that what is held must not touch

  explicit CoalChanges(const Work& work) : CoalWhole(work) {
    for (const Change& row : work.changes.rows) at.push_back(transform(row.pose));
    for (const Mount& obstacle : work.obstacles) homes.push_back(transform(obstacle.pose));
    for (auto& obstacle : fixed) all.push_back(obstacle.get());
    for (uint32_t shape : work.changes.meets) meets.push_back(bodies[shape].get());
  }

  // All obstacles where they were at first.
  void forget() {
    CoalWhole::forget();
    for (size_t o = 0; o < all.size(); ++o) place(*all[o], homes[o]);
    make_anew();
  }

  static void place(coal::CollisionObject& object, const coal::Transform3s& pose) {
    object.setTransform(pose);
    object.computeAABB();
  }
  void make_anew() {
    tree->clear();
    tree->registerObjects(all);
    tree->setup();
  }

  double ask(const Work& work, size_t number) {
    const auto [from, to] = work.changes.of(number);
    some.clear();
    for (size_t row = from; row < to; ++row) {
      some.push_back(all[work.changes.rows[row].obstacle]);
      place(*some.back(), at[row]);
    }
    const bool held = work.changes.held > 0;
    if (work.changes.anew)
      make_anew();
    else if (held)
      tree->unregisterObject(some.front());
    else if (some.size() == all.size())
      tree->update();
    else if (!some.empty())
      tree->update(some.front());
    for (size_t s = 0; s < bodies.size(); ++s) put(s, poses[number * bodies.size() + s]);
    double best = smallest(work);
    if (held) {
      leaf.best = best;
      for (coal::CollisionObject* body : meets)
        if (body->getAABB().distance(some.front()->getAABB()) < leaf.best)
          leaf.distance(body, some.front(), best);
      tree->distance(some.front(), &leaf);
      best = leaf.best;
      tree->registerObject(some.front());
      tree->setup();
    }
    return best;
  }
};

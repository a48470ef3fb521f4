// A world that changes, with coal: obstacles are objects of a `DynamicAABBTreeCollisionManager` that learns
// of each change, by `update` of what was placed. What a hand holds is taken out of it (`unregisterObject`),
// asked for itself, and put back. A manager made again, which is what MoveIt does for a scene that it has
// copied, is cleared, given all objects and set up.
#pragma once
#include "coal_whole.hpp"

struct CoalChanges : CoalWhole {
  ManagedObstacles<coal::CollisionObject, std::vector<coal::Transform3s>> obstacles;
  std::vector<coal::CollisionObject*> meets;  // bodies that what is held must not touch

  explicit CoalChanges(const Work& work) : CoalWhole(work) {
    for (const Change& row : work.changes.rows) obstacles.at.push_back(transform(row.pose));
    for (const Mount& obstacle : work.obstacles) obstacles.homes.push_back(transform(obstacle.pose));
    for (auto& obstacle : fixed) obstacles.all.push_back(obstacle.get());
    for (uint32_t shape : work.changes.meets) meets.push_back(bodies[shape].get());
  }

  void forget() {
    CoalWhole::forget();
    obstacles.forget(*tree);
  }

  double ask(const Work& work, size_t number) {
    coal::CollisionObject* held = obstacles.step(work.changes, number, *tree);
    for (size_t s = 0; s < bodies.size(); ++s) put(s, poses[number * bodies.size() + s]);
    double best = smallest(work);
    if (held) {
      leaf.best = best;
      for (coal::CollisionObject* body : meets)
        if (body->getAABB().distance(held->getAABB()) < leaf.best) leaf.distance(body, held, best);
      tree->distance(held, &leaf);
      best = leaf.best;
      tree->registerObject(held);
      tree->setup();
    }
    return best;
  }
};

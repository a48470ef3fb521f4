// Shapes and poses as coal has them, for coal and for what is built on it.
#pragma once
#include <memory>

#include "coal/BVH/BVH_model.h"
#include "coal/collision_object.h"
#include "coal/shape/convex.h"
#include "common.hpp"

inline coal::Transform3s transform(const double* x) {
  coal::Matrix3s rotation;
  rotation << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
  return coal::Transform3s(rotation, coal::Vec3s(x[9], x[10], x[11]));
}

inline std::shared_ptr<coal::CollisionGeometry> convex(const ShapeData& data) {
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  for (size_t i = 0; i < data.size(); ++i)
    points->emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (size_t i = 0; i < data.triangles.size(); i += 3)
    triangles->emplace_back(data.triangles[i], data.triangles[i + 1], data.triangles[i + 2]);
  auto made = std::make_shared<coal::Convex<coal::Triangle>>(points, static_cast<unsigned>(points->size()),
                                                             triangles,
                                                             static_cast<unsigned>(triangles->size()));
  made->computeLocalAABB();
  return made;
}

inline std::shared_ptr<coal::CollisionGeometry> mesh(const ShapeData& data) {
  std::vector<coal::Vec3s> points;
  for (size_t i = 0; i < data.size(); ++i)
    points.emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
  std::vector<coal::Triangle> triangles;
  for (size_t i = 0; i < data.triangles.size(); i += 3)
    triangles.emplace_back(data.triangles[i], data.triangles[i + 1], data.triangles[i + 2]);
  auto made = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  made->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(points.size()));
  made->addSubModel(points, triangles);
  made->endModel();
  made->computeLocalAABB();
  return made;
}

// A robot's shape as the work asks for it.
inline std::shared_ptr<coal::CollisionGeometry> solid(const Work& work, const ShapeData& data) {
  return work.triangles ? mesh(data) : convex(data);
}

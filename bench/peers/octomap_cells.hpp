// Trees of octomap, for the engines that look at these.
#pragma once
#include <octomap/octomap.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "changes.hpp"

// The cells of an edge that contain points.
inline std::shared_ptr<octomap::OcTree> cells_of_points(const std::vector<double>& points, double edge) {
  auto tree = std::make_shared<octomap::OcTree>(edge);
  const float sure = tree->getClampingThresMaxLog();
  for (size_t i = 0; i < points.size(); i += 3)
    tree->setNodeValue(points[i], points[i + 1], points[i + 2], sure, true);
  tree->updateInnerOccupancy();
  return tree;
}

// Cells as they are given; larger ones, which are of a power of two of the smallest edge, as their parts.
inline std::shared_ptr<octomap::OcTree> cells_of_cells(const std::vector<CellData>& cells) {
  double edge = std::numeric_limits<double>::max();
  for (const CellData& cell : cells) edge = std::min(edge, cell.edge);
  auto tree = std::make_shared<octomap::OcTree>(edge);
  const float sure = tree->getClampingThresMaxLog();
  for (const CellData& cell : cells) {
    const int parts = static_cast<int>(cell.edge / edge + 0.5);
    const auto at = [&](int axis, int part) {
      return cell.centre[axis] + edge * (part + 0.5 - 0.5 * parts);
    };
    for (int x = 0; x < parts; ++x)
      for (int y = 0; y < parts; ++y)
        for (int z = 0; z < parts; ++z) tree->setNodeValue(at(0, x), at(1, y), at(2, z), sure, true);
  }
  tree->updateInnerOccupancy();
  tree->prune();
  return tree;
}

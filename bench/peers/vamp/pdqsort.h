// VAMP's headers sort clouds of points with pdqsort, which they do not bring along. No question of the bench
// has a cloud: any sort will do.
#pragma once
#include <algorithm>

template <class Iterator, class Less>
void pdqsort_branchless(Iterator begin, Iterator end, Less less) {
  std::sort(begin, end, less);
}

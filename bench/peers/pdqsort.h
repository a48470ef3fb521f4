// The sort that VAMP's headers ask for by this name, as Boost has it.
#pragma once
#include <boost/sort/pdqsort/pdqsort.hpp>

using boost::sort::pdqsort;
using boost::sort::pdqsort_branchless;

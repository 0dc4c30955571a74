// First contact of shapes in motion: linear sweeps, rigid motion with rotation, and vertices that each move along their own line.
#pragma once
#include <graze/query.hpp>
#include <graze/sweep/deforming.hpp>
#include <graze/sweep/linear.hpp>
#include <graze/sweep/rigid.hpp>

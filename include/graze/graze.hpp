// Everything of the core library. Models from files: <graze/io.hpp>.
#pragma once
#include <graze/error.hpp>
#include <graze/hierarchy.hpp>
#include <graze/mesh.hpp>
#include <graze/pose.hpp>
#include <graze/query.hpp>
#include <graze/shapes.hpp>
#include <graze/vec.hpp>
#include <graze/version.hpp>

// Includes the whole core library. Models from files are in <graze/io.hpp>.
#pragma once
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <graze/mesh.hpp>
#include <graze/mover.hpp>
#include <graze/pose.hpp>
#include <graze/postures.hpp>
#include <graze/progress.hpp>
#include <graze/query.hpp>
#include <graze/response.hpp>
#include <graze/scene.hpp>
#include <graze/shapes.hpp>
#include <graze/sweep.hpp>
#include <graze/threads.hpp>
#include <graze/vec.hpp>
#include <graze/version.hpp>
#include <graze/world.hpp>

// The embedded files of apps/viewer/shaders: the shader programs of the window and of pictures.
#pragma once

namespace graze::view {

/// Edges: each corner carries 1 in its own coordinate; a coordinate that reaches 0 is an edge. Where an edge is not wanted, its coordinate is kept away from 0.
extern const char* const kSurfaceVertex;
/// Two lights fixed to the viewer, the same on both sides of a face; the back side a little darker, so that it is known as such.
extern const char* const kSurfaceFragment;
/// A quad for each ball; a fragment is lit where its ray meets the ball.
extern const char* const kBallVertex;
extern const char* const kBallFragment;
/// A quad for each stroke, widened on the screen; cut at the eye's plane first.
extern const char* const kStrokeVertex;
/// A quad for each dot.
extern const char* const kDotVertex;
/// Strokes and dots in one colour; dots have a rim.
extern const char* const kFlatFragment;

}  // namespace graze::view

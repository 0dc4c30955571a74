// A change of the unit of length.
#pragma once
#include <cstdint>

namespace graze::io {

/// Multiplies lengths by a factor, and rounds once. A factor that is the double nearest to a fraction of whole numbers up to 10,000, as .001, 25.4 or 1/12,
/// stands for that fraction: 70 centimetres and .7 metres then are one length.
class Scale {
 public:
  explicit Scale(double factor);
  bool is_one() const { return factor_ == 1; }
  double operator()(double x) const;

 private:
  double factor_;
  std::uint32_t up_ = 0, down_ = 0;  ///< the fraction; 0: none
};

}  // namespace graze::io

// A change of the unit of length.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace graze::io {

/// Multiplies lengths by a factor, and rounds once. A factor that is the double nearest to a fraction of whole numbers up to 10,000, as .001, 25.4 or 1/12,
/// stands for that fraction: 70 centimetres and .7 metres then are one length.
class Scale {
 public:
  explicit Scale(double factor);
  /// Requires up, down > 0.
  Scale(std::uint64_t up, std::uint64_t down);

  bool is_one() const { return factor_ == 1; }
  /// Infinite beyond the largest double.
  double operator()(double x);
  /// Of a decimal number as a file has it: the double nearest to the exact product, which may differ from that of the double that was read. `read` is that
  /// double, finite.
  double of_text(std::string_view decimal, double read);

  /// Whether any product so far was rounded.
  bool has_rounded() const { return rounded_; }
  /// "127/5".
  std::string ratio() const;

 private:
  double factor_;
  std::uint64_t up_ = 0, down_ = 0;  ///< the fraction; 0: none
  bool rounded_ = false;
};

}  // namespace graze::io

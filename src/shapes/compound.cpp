// Compounds: several placed shapes as one shape, validated on construction.
#include <graze/error.hpp>
#include <graze/shapes.hpp>
#include <graze/shapes/compound.hpp>
#include <string>

namespace graze {

struct CompoundData {
  std::vector<Compound::Child> children;
};

Compound::Compound(std::vector<Child> children) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Child& c = children[i];
    const std::string where = "compound: child " + std::to_string(i);
    if (c.shape.get<Compound>()) throw Error(ErrorCode::invalid_shape, where + " is a compound: put its children here instead, with their poses combined");
    try {
      validate(at(c.shape, c.pose));
    } catch (const Error& e) {
      throw Error(e.code(), where + ": " + e.what());
    }
  }
  data_ = std::make_shared<const CompoundData>(CompoundData{std::move(children)});
}

const std::vector<Compound::Child>& Compound::children() const { return data_->children; }

}  // namespace graze

// A folder that one program writes into at a time.
#pragma once
#include <string>

namespace graze::cli {

/// Holds a folder, which is made if it is not there, until it is destroyed or the program ends in any way; waits for others that hold it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace graze::cli

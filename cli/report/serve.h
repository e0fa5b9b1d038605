// SPDX-License-Identifier: Apache-2.0
// PageServer: shows one page to browsers on this machine, and nothing else to anyone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tumble::cli {

/// Listens on 127.0.0.1. It answers GET and HEAD of / with the page, and reads no file. A request must name this
/// machine and port as its host: a foreign site whose name was made to point here (DNS rebinding) gets nothing.
class PageServer {
 public:
  /// Port 0: any that is free. Throws Error(file_access) if the port is in use.
  PageServer(std::string page, int port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const;
  /// Until the program is interrupted.
  [[noreturn]] void serve();

 private:
  struct Connection;
  void accept_one();
  bool advance(Connection& connection);
  std::string head_for(const std::string& request, bool& with_page) const;

  const std::string page_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<Connection> connections_;
};

}  // namespace tumble::cli

// SPDX-License-Identifier: Apache-2.0
// As much of HTTP/1.1 (RFC 9112) as a page for one person needs: one request for each connection.
#include "cli/report/serve.h"

#include "io/text.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace tumble::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_connections = 64, most_request_bytes = 16384;
constexpr std::chrono::seconds patience{30};  // with a connection that does nothing

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::file_access, what + ": " + std::strerror(errno));
}

/// The value of the only header of this name; none if it is missing or given twice.
std::optional<std::string> header(std::string_view request, std::string_view lower_name) {
  std::optional<std::string> value;
  for (std::size_t line = request.find("\r\n"); line != request.npos; line = request.find("\r\n", line + 2)) {
    const std::string_view text = request.substr(line + 2, request.find("\r\n", line + 2) - line - 2);
    const std::size_t colon = text.find(':');
    if (colon == text.npos || !io::is_word(text.substr(0, colon), lower_name)) continue;
    if (value) return {};
    value = io::trimmed(text.substr(colon + 1));
  }
  return value;
}

}  // namespace

struct PageServer::Connection {
  int fd = -1;
  std::string request{}, head{};
  std::size_t sent = 0;  // of the head and the page
  bool answering = false, with_page = false;
  Clock::time_point heard = Clock::now();
};

PageServer::PageServer(std::string page, int port) : page_(std::move(page)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) fail("cannot make a socket");
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0) {
    const int error = errno;
    ::close(std::exchange(listener_, -1));
    errno = error;
    fail(fmt::format("cannot listen on port {} of this machine; --port 0 takes one that is free", port));
  }
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

PageServer::~PageServer() {
  for (const Connection& connection : connections_) ::close(connection.fd);
  if (listener_ >= 0) ::close(listener_);
}

std::string PageServer::address() const { return fmt::format("http://127.0.0.1:{}/", port_); }

std::string PageServer::head_for(const std::string& request, bool& with_page) const {
  const auto answer = [](const char* status, std::string_view type, std::size_t length) {
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n",
        status, type, length);
  };
  const auto refuse = [&](const char* status) {
    const std::string text = fmt::format("{}\n", status);
    return answer(status, "text/plain; charset=utf-8", text.size()) + text;
  };
  with_page = false;
  const std::string_view line = std::string_view(request).substr(0, request.find("\r\n"));
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == line.npos || second == line.npos || !line.substr(second + 1).starts_with("HTTP/1."))
    return refuse("400 Bad Request");
  const std::optional<std::string> host = header(request, "host");
  const bool is_ours =
      host &&
      std::ranges::any_of(std::initializer_list<const char*>{"127.0.0.1", "localhost", "[::1]"}, [&](const char* name) {
        return io::is_word(*host, fmt::format("{}:{}", name, port_)) ||
               (port_ == 80 && io::is_word(*host, name));  // browsers leave out HTTP's own port
      });
  if (!is_ours) return refuse("403 Forbidden");
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, second - first - 1);
  if (method != "GET" && method != "HEAD") return refuse("405 Method Not Allowed");
  if (target != "/") return refuse("404 Not Found");
  with_page = method == "GET";
  return answer("200 OK", "text/html; charset=utf-8", page_.size());
}

/// Of too many connections the one that has been silent longest makes room: those who say nothing keep nobody waiting.
void PageServer::accept_one() {
  const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  if (connections_.size() == most_connections) {
    const auto silent = std::ranges::min_element(connections_, {}, &Connection::heard);
    ::close(silent->fd);
    connections_.erase(silent);
  }
  connections_.push_back({.fd = fd});
}

/// Reads or writes as much as goes without waiting; false: the connection is done with.
bool PageServer::advance(Connection& c) {
  const auto would_wait = [] { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; };
  c.heard = Clock::now();
  if (!c.answering) {
    char bytes[4096];
    const ssize_t got = ::recv(c.fd, bytes, sizeof bytes, 0);
    if (got <= 0) return got < 0 && would_wait();
    c.request.append(bytes, static_cast<std::size_t>(got));
    const std::size_t end = c.request.find("\r\n\r\n");
    if (end == c.request.npos && c.request.size() <= most_request_bytes) return true;
    if (end != c.request.npos) c.request.resize(end + 2);
    c.head = end == c.request.npos ? head_for("", c.with_page) : head_for(c.request, c.with_page);
    c.answering = true;
  }
  const std::size_t total = c.head.size() + (c.with_page ? page_.size() : 0);
  while (c.sent < total) {
    const std::string_view left = c.sent < c.head.size() ? std::string_view(c.head).substr(c.sent)
                                                         : std::string_view(page_).substr(c.sent - c.head.size());
    const ssize_t sent = ::send(c.fd, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0) return would_wait();
    c.sent += static_cast<std::size_t>(sent);
  }
  ::shutdown(c.fd, SHUT_WR);
  return false;
}

void PageServer::serve() {
  std::vector<pollfd> waits;
  while (true) {
    waits.clear();
    for (const Connection& c : connections_)
      waits.push_back({c.fd, static_cast<short>(c.answering ? POLLOUT : POLLIN), 0});
    waits.push_back({listener_, POLLIN, 0});
    ::poll(waits.data(), waits.size(), 1000);
    std::vector<Connection> alive;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& c = connections_[i];
      const bool stays = waits[i].revents != 0 ? advance(c) : Clock::now() - c.heard < patience;
      if (stays) {
        alive.push_back(std::move(c));
      } else {
        ::close(c.fd);
      }
    }
    connections_ = std::move(alive);
    if (waits.back().revents != 0) accept_one();
  }
}

}  // namespace tumble::cli

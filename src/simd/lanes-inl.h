// SPDX-License-Identifier: Apache-2.0
// Lanes<T, N>: N numbers side by side, in as many registers as the instruction set needs. Only this file knows
// instruction sets; kernels in other rooms are written on it and compiled once for each (simd/foreach_target.h).

#if defined(TUMBLE_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_SIMD_LANES_INL_H_
#undef TUMBLE_SIMD_LANES_INL_H_
#else
#define TUMBLE_SIMD_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A loop over the registers of a Lanes. The compiler unrolls it if they are few. Without vectors there are as many as
// lanes, and unrolling sixteenfold takes longer to compile than all other instruction sets.
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is declared, not read
#undef TUMBLE_EACH_REGISTER
#if HWY_TARGET == HWY_SCALAR
#define TUMBLE_EACH_REGISTER(i) _Pragma("GCC unroll 1") for (std::size_t i = 0; i < registers; ++i)
#else
#define TUMBLE_EACH_REGISTER(i) for (std::size_t i = 0; i < registers; ++i)
#endif
// NOLINTEND(bugprone-macro-parentheses)

template <class T, int N>
struct Lanes {
  using Number = T;
  using Tag = hn::CappedTag<T, N>;
  static constexpr std::size_t width = hn::MaxLanes(Tag{});
  static constexpr std::size_t registers = static_cast<std::size_t>(N) / width;

  hn::Vec<Tag> v[registers];

  static HWY_INLINE Lanes load(const T* from) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::LoadU(Tag{}, from + i * width);
    return r;
  }
  static HWY_INLINE Lanes broadcast(T value) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::Set(Tag{}, value);
    return r;
  }
  /// Four numbers as 0000 1111 2222 3333, for N = 16.
  static HWY_INLINE Lanes each_four_times(const T* from) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) {
      if constexpr (width <= 4) {
        r.v[i] = hn::Set(Tag{}, from[i * width / 4]);
      } else {
        HWY_ALIGN std::int32_t places[width];
        for (std::size_t lane = 0; lane < width; ++lane)
          places[lane] = static_cast<std::int32_t>((i * width + lane) / 4);
        r.v[i] = hn::TableLookupLanes(hn::LoadDup128(Tag{}, from), hn::SetTableIndices(Tag{}, places));
      }
    }
    return r;
  }
  /// Four numbers, aligned to 16 bytes, as 0123 0123 0123 0123, for N = 16.
  static HWY_INLINE Lanes four_repeated(const T* from) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) {
      if constexpr (width < 4) {
        r.v[i] = hn::LoadU(Tag{}, from + i * width % 4);
      } else {
        r.v[i] = hn::LoadDup128(Tag{}, from);
      }
    }
    return r;
  }
  HWY_INLINE void store(T* to) const { TUMBLE_EACH_REGISTER(i) hn::StoreU(v[i], Tag{}, to + i * width); }

  /// Doubles from floats, and doubles rounded to the nearest floats.
  static HWY_INLINE Lanes load_floats(const float* from) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i)
    r.v[i] = hn::PromoteTo(Tag{}, hn::LoadU(hn::Rebind<float, Tag>{}, from + i * width));
    return r;
  }
  HWY_INLINE void store_floats(float* to) const {
    const hn::Rebind<float, Tag> floats;
    TUMBLE_EACH_REGISTER(i) hn::StoreU(hn::DemoteTo(floats, v[i]), floats, to + i * width);
  }

#define TUMBLE_LANES_BINARY(name, op)                            \
  friend HWY_INLINE Lanes name(const Lanes& a, const Lanes& b) { \
    Lanes r;                                                     \
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::op(a.v[i], b.v[i]);     \
    return r;                                                    \
  }
  TUMBLE_LANES_BINARY(operator+, Add)
  TUMBLE_LANES_BINARY(operator-, Sub)
  TUMBLE_LANES_BINARY(operator*, Mul)
  TUMBLE_LANES_BINARY(operator/, Div)
  TUMBLE_LANES_BINARY(min, Min)
  TUMBLE_LANES_BINARY(max, Max)
#undef TUMBLE_LANES_BINARY

  friend HWY_INLINE Lanes abs(const Lanes& a) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::Abs(a.v[i]);
    return r;
  }
  friend HWY_INLINE Lanes sqrt(const Lanes& a) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::Sqrt(a.v[i]);
    return r;
  }
  /// Chooses by the sign of each lane of `sign`, which must be neither −0 nor NaN: instruction sets differ there.
  friend HWY_INLINE Lanes if_negative(const Lanes& sign, const Lanes& yes, const Lanes& no) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::IfNegativeThenElse(sign.v[i], yes.v[i], no.v[i]);
    return r;
  }
  /// a·b + c, with one rounding where the instruction set has it: for bounds that only decide what is looked at, never
  /// for exact answers, nor for gaps, whose last bits decide which of the nearest pairs is measured first.
  friend HWY_INLINE Lanes mul_add(const Lanes& a, const Lanes& b, const Lanes& c) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::MulAdd(a.v[i], b.v[i], c.v[i]);
    return r;
  }
  /// Whether the instruction set rounds a·b ± c once.
  static constexpr bool rounds_once = HWY_NATIVE_FMA != 0;
  /// a·b − c, with one rounding where that is so. If c is a·b rounded, it is what this rounding left over, exactly.
  friend HWY_INLINE Lanes fused_mul_sub(const Lanes& a, const Lanes& b, const Lanes& c) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::MulSub(a.v[i], b.v[i], c.v[i]);
    return r;
  }

  /// A truth value per lane.
  struct Mask {
    hn::Mask<Tag> m[registers];

    friend HWY_INLINE Mask operator&(const Mask& a, const Mask& b) {
      Mask r;
      TUMBLE_EACH_REGISTER(i) r.m[i] = hn::And(a.m[i], b.m[i]);
      return r;
    }
    friend HWY_INLINE Mask operator|(const Mask& a, const Mask& b) {
      Mask r;
      TUMBLE_EACH_REGISTER(i) r.m[i] = hn::Or(a.m[i], b.m[i]);
      return r;
    }
    friend HWY_INLINE Mask operator!(const Mask& a) {
      Mask r;
      TUMBLE_EACH_REGISTER(i) r.m[i] = hn::Not(a.m[i]);
      return r;
    }
    friend HWY_INLINE bool any(const Mask& a) {
      bool is = false;
      TUMBLE_EACH_REGISTER(i) is |= !hn::AllFalse(Tag{}, a.m[i]);
      return is;
    }
  };
  friend HWY_INLINE Mask less(const Lanes& a, const Lanes& b) {
    Mask r;
    TUMBLE_EACH_REGISTER(i) r.m[i] = hn::Lt(a.v[i], b.v[i]);
    return r;
  }
  friend HWY_INLINE Lanes select(const Mask& mask, const Lanes& yes, const Lanes& no) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::IfThenElse(mask.m[i], yes.v[i], no.v[i]);
    return r;
  }

  /// Bit l is set where lane l of the mask is.
  friend HWY_INLINE std::uint32_t bits(const Mask& mask) {
    std::uint32_t all = 0;
    TUMBLE_EACH_REGISTER(i) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(Tag{}, mask.m[i], bytes);
      // Just what was written, at once: then it goes from register to register.
      std::conditional_t<(width > 8), std::uint16_t, std::uint8_t> here;
      std::memcpy(&here, bytes, sizeof here);
      all |= static_cast<std::uint32_t>(here) << (i * width);
    }
    return all;
  }
  /// Whole numbers without sign from such of half the size.
  template <class Half>
  static HWY_INLINE Lanes load_halves(const Half* from) {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::PromoteTo(Tag{}, hn::LoadU(hn::Rebind<Half, Tag>{}, from + i * width));
    return r;
  }
  template <int Bits>
  HWY_INLINE Lanes shifted_left() const {
    Lanes r;
    TUMBLE_EACH_REGISTER(i) r.v[i] = hn::ShiftLeft<Bits>(v[i]);
    return r;
  }
  /// Stores the lanes whose bits are set, one after the other. Of the rest, as far as N numbers, anything may become.
  HWY_INLINE void store_some(std::uint32_t which, T* to) const {
#if HWY_TARGET <= HWY_AVX3
    static_assert(registers == 1 && sizeof(T) == 4);  // Highway has no other such instruction
    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(which), static_cast<std::uint8_t>(which >> 8)};
    hn::StoreU(hn::Compress(v[0], hn::LoadMaskBits(Tag{}, bytes)), Tag{}, to);
#else
    T all[N];
    store(all);
    for (; which != 0; which &= which - 1) *to++ = all[std::countr_zero(which)];
#endif
  }
  /// Bit l is set where a > b in lane l.
  friend HWY_INLINE std::uint32_t greater(const Lanes& a, const Lanes& b) { return bits(less(b, a)); }
};

// One double as a single lane, for code written once for one number and for many.
HWY_INLINE bool less(double a, double b) { return a < b; }
HWY_INLINE bool any(bool mask) { return mask; }
HWY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
template <class N>
HWY_INLINE N same(double value) {
  if constexpr (std::is_same_v<N, double>)
    return value;
  else
    return N::broadcast(value);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif

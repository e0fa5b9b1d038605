// SPDX-License-Identifier: Apache-2.0
// The whole public face in one include.
#pragma once

#include <tumble/assembly.h>
#include <tumble/budget.h>
#include <tumble/clash.h>
#include <tumble/contact.h>
#include <tumble/convex.h>
#include <tumble/distance.h>
#include <tumble/dynamics.h>
#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/manifold.h>
#include <tumble/mass.h>
#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/motion.h>
#include <tumble/pair_options.h>
#include <tumble/parts.h>
#include <tumble/point.h>
#include <tumble/pose.h>
#include <tumble/presets.h>
#include <tumble/query.h>
#include <tumble/requests.h>
#include <tumble/robot.h>
#include <tumble/rotation.h>
#include <tumble/solid.h>
#include <tumble/tree_options.h>
#include <tumble/vec.h>
#include <tumble/version.h>
#include <tumble/world.h>

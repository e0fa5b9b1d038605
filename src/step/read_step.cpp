// SPDX-License-Identifier: Apache-2.0
// Walks the assembly tree of a STEP file, which OpenCASCADE reads.
#include <tumble/step.h>

#include "step/tessellate.h"

#include <tumble/error.h>

#include <opencascade/Interface_Check.hxx>
#include <opencascade/Interface_CheckIterator.hxx>
#include <opencascade/Interface_InterfaceModel.hxx>
#include <opencascade/Interface_Static.hxx>
#include <opencascade/Message.hxx>
#include <opencascade/Message_Messenger.hxx>
#include <opencascade/Message_Printer.hxx>
#include <opencascade/STEPCAFControl_Reader.hxx>
#include <opencascade/STEPConstruct_ExternRefs.hxx>
#include <opencascade/Standard_ErrorHandler.hxx>
#include <opencascade/Standard_Failure.hxx>
#include <opencascade/Standard_OutOfMemory.hxx>
#include <opencascade/StepBasic_DocumentFile.hxx>
#include <opencascade/StepBasic_ProductDefinition.hxx>
#include <opencascade/StepRepr_MappedItem.hxx>
#include <opencascade/StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <opencascade/StepRepr_Representation.hxx>
#include <opencascade/StepRepr_RepresentationMap.hxx>
#include <opencascade/TCollection_HAsciiString.hxx>
#include <opencascade/TDF_LabelSequence.hxx>
#include <opencascade/TDF_Tool.hxx>
#include <opencascade/TDataStd_Name.hxx>
#include <opencascade/TDocStd_Document.hxx>
#include <opencascade/Transfer_TransientProcess.hxx>
#include <opencascade/XCAFDoc_DocumentTool.hxx>
#include <opencascade/XCAFDoc_ShapeTool.hxx>
#include <opencascade/XSControl_TransferReader.hxx>
#include <opencascade/XSControl_WorkSession.hxx>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>
#include <new>
#include <numbers>
#include <string_view>
#include <vector>

namespace tumble {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what,
                       ErrorCode code = ErrorCode::file_format) {
  throw Error(code, what, {.file = file.string()});
}

/// OpenCASCADE reads what is there of a file that was cut off, so that parts would be missing without a word.
void check_both_ends(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(4096, '\0'), tail(4096, '\0');
  if (!in || std::filesystem::is_directory(file)) fail(file, "cannot read the file", ErrorCode::file_access);
  const auto take = [&](std::string& into) {
    in.read(into.data(), std::streamsize(into.size()));
    into.resize(std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
  };
  take(head);
  in.clear();
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - std::streamoff(tail.size())));
  take(tail);
  if (head.find("ISO-10303-21") == head.npos) fail(file, "it is no STEP file: it does not begin with ISO-10303-21");
  if (tail.rfind("END-ISO-10303-21") == tail.npos) fail(file, "it is cut off: it does not end with END-ISO-10303-21");
}

std::string name_of(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return {};
  const TCollection_ExtendedString& text = name->Get();
  std::string utf8(std::size_t(text.LengthOfCString()) + 1, '\0');
  char* into = utf8.data();
  utf8.resize(std::size_t(std::max(text.ToUTF8CString(into), 0)));
  return utf8;
}

/// Whether an exporter made it up: "NAUO12", "=>[0:1:1:2]", a number, or nothing.
bool says_nothing(std::string_view name) {
  if (name.starts_with("=>[")) return true;
  if (name.starts_with("NAUO")) name.remove_prefix(4);
  return std::ranges::all_of(name, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == ' '; });
}

/// An assembly of any use has fewer; a few lines of STEP can say 2^100 of them, each product holding the next one
/// twice.
constexpr std::size_t most_places = 1'000'000;
constexpr int most_levels = 256;

[[noreturn]] void fail_of_places(const std::filesystem::path& file) {
  fail(file, "its assembly tree places products more than " + std::to_string(most_places) + " times",
       ErrorCode::unsupported);
}
[[noreturn]] void fail_of_depth(const std::filesystem::path& file) {
  fail(file, "its assembly tree is deeper than " + std::to_string(most_levels) + " levels", ErrorCode::unsupported);
}

class TreeWalk {
 public:
  TreeWalk(const std::filesystem::path& file, const StepOptions& options, StepAssembly& into)
      : file_(file), options_(options), into_(into) {}

  /// A product at a place; `path` is the name of its instance.
  void visit(const TDF_Label& product, const gp_Trsf& place, const std::string& path, int depth) {
    if (depth > most_levels) fail_of_depth(file_);
    if (++places_ > most_places) fail_of_places(file_);
    if (!XCAFDoc_ShapeTool::IsAssembly(product)) return add_instance(product, place, path);
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(product, components);
    for (int i = 1; i <= components.Length(); ++i) {
      const TDF_Label& component = components.Value(i);
      TDF_Label child;
      if (!XCAFDoc_ShapeTool::GetReferredShape(component, child)) continue;
      std::string name = name_of(component);
      if (const std::string of_product = name_of(child); says_nothing(name) && !of_product.empty()) name = of_product;
      const gp_Trsf inner = XCAFDoc_ShapeTool::GetLocation(component).Transformation();
      if (depth > 0) name.insert(0, path + "/");
      visit(child, place * inner, name, depth + 1);
    }
  }

 private:
  void add_instance(const TDF_Label& product, const gp_Trsf& place, const std::string& path) {
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(product);
    if (shape.IsNull() || !step::has_faces(shape)) {
      ++into_.without_faces;
      return;
    }
    const double scale = place.ScaleFactor();
    if (std::abs(scale - 1) > 1e-9)
      fail(file_, "the instance '" + path + "' is scaled or mirrored, by " + std::to_string(scale),
           ErrorCode::unsupported);
    std::array<double, 12> rows;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) rows[std::size_t(4 * row + column)] = place.Value(row + 1, column + 1);
    into_.assembly.instances.push_back({path, mesh_of(product, shape, path), Pose::from_rows(rows)});
  }

  std::uint32_t mesh_of(const TDF_Label& product, const TopoDS_Shape& shape, const std::string& path) {
    TCollection_AsciiString entry;
    TDF_Tool::Entry(product, entry);
    const auto [at, is_new] = meshes_.try_emplace(entry.ToCString(), std::uint32_t(into_.assembly.meshes.size()));
    if (!is_new) return at->second;
    const double deflection = options_.deflection.value_or(step::size_of(shape) / 1000);
    if (!(deflection > 0 && std::isfinite(deflection)))
      fail(file_, "the part '" + path + "' has no size", ErrorCode::invalid_mesh);
    into_.deflection = std::max(into_.deflection, deflection);
    step::Tessellation result = step::tessellate(shape, deflection, options_.angle * std::numbers::pi / 180);
    if (result.missing_faces > 0 || result.mesh.triangles.empty())
      fail(file_,
           "OpenCASCADE cannot divide all faces of the part '" + path + "' into triangles (" +
               std::to_string(result.missing_faces) +
               " missing), or not with the memory there is; try a larger deflection",
           ErrorCode::unsupported);
    try {
      check(result.mesh);
    } catch (const Error& error) {
      fail(file_, "the part '" + path + "': " + error.what(), error.code());
    }
    into_.assembly.meshes.push_back(std::move(result.mesh));
    return at->second;
  }

  const std::filesystem::path& file_;
  const StepOptions& options_;
  StepAssembly& into_;
  std::size_t places_ = 0;
  std::map<std::string, std::uint32_t> meshes_;  // by the product's entry in the document
};

/// OpenCASCADE crashes on references that lead nowhere or to an item of another kind.
void check_items(const STEPCAFControl_Reader& reader, const std::filesystem::path& file) {
  const Handle(Interface_InterfaceModel) model = reader.Reader().WS()->Model();
  for (int i = 1; i <= model->NbEntities(); ++i)
    if (const Handle(Interface_Check)& check = model->Check(i, true); check->NbFails() > 0) {
      const Handle(TCollection_HAsciiString) id = model->StringLabel(model->Value(i));
      fail(file,
           std::string("the item ") + (id.IsNull() ? "?" : id->ToCString()) + " is malformed: " + check->CFail(1));
    }
}

/// What holds what, as items of a file say it: products by their usages, and representations by what is mapped into
/// them. OpenCASCADE goes through every place of the tree, and never comes back from one without an end.
class Usages {
 public:
  void add(const Handle(Standard_Transient) & whole, const Handle(Standard_Transient) & part) {
    if (whole.IsNull() || part.IsNull()) return;
    nodes_[whole.get()].parts.push_back(part.get());
    ++nodes_[part.get()].open;
  }

  /// Goes from wholes to parts, each after all that hold it.
  void check(const std::filesystem::path& file) {
    std::vector<Node*> ready;
    for (auto& [item, node] : nodes_)
      if (node.open == 0) ready.push_back(&node);
    double places = 0;  // 2^256 is in its range
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      const Node& whole = *ready.back();
      ready.pop_back();
      if (whole.depth > most_levels) fail_of_depth(file);
      if ((places += whole.places) > double(most_places)) fail_of_places(file);
      for (const Standard_Transient* item : whole.parts) {
        Node& part = nodes_[item];
        part.places = (part.is_met ? part.places : 0) + whole.places;
        part.is_met = true;
        part.depth = std::max(part.depth, whole.depth + 1);
        if (--part.open == 0) ready.push_back(&part);
      }
    }
    if (done < nodes_.size()) fail(file, "an assembly in it is a part of itself");
  }

 private:
  struct Node {
    std::vector<const Standard_Transient*> parts;
    std::size_t open = 0;  // usages by wholes that are not done yet
    double places = 1;
    bool is_met = false;
    int depth = 0;
  };
  std::map<const Standard_Transient*, Node> nodes_;
};

void check_assembly_tree(const STEPCAFControl_Reader& reader, const std::filesystem::path& file) {
  const Handle(Interface_InterfaceModel) model = reader.Reader().WS()->Model();
  Usages products, representations;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    const Handle(Standard_Transient)& item = model->Value(i);
    if (const auto usage = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(item); !usage.IsNull())
      products.add(usage->RelatingProductDefinition(), usage->RelatedProductDefinition());
    const auto whole = Handle(StepRepr_Representation)::DownCast(item);
    if (whole.IsNull() || whole->Items().IsNull()) continue;
    for (int j = 1; j <= whole->NbItems(); ++j)
      if (const auto mapped = Handle(StepRepr_MappedItem)::DownCast(whole->ItemsValue(j));
          !mapped.IsNull() && !mapped->MappingSource().IsNull())
        representations.add(whole, mapped->MappingSource()->MappedRepresentation());
  }
  products.check(file);
  representations.check(file);
}

/// OpenCASCADE would open the files that an item names, wherever they are, and leave out those of a format it does not
/// know.
void refuse_other_files(const STEPCAFControl_Reader& reader, const std::filesystem::path& file) {
  STEPConstruct_ExternRefs others(reader.Reader().WS());
  others.LoadExternRefs();
  if (others.NbExternRefs() == 0) return;
  const Handle(StepBasic_DocumentFile) other = others.DocFile(1);
  const bool is_named = !other.IsNull() && !other->Id().IsNull() && !other->Id()->IsEmpty();
  fail(file,
       "it refers to another file" + (is_named ? " ('" + std::string(other->Id()->ToCString()) + "')" : "") +
           ", and only what is in the file itself is read; export it as one file",
       ErrorCode::unsupported);
}

void count_problems(const STEPCAFControl_Reader& reader, StepAssembly& result) {
  Interface_CheckIterator checks = reader.Reader().WS()->TransferReader()->TransientProcess()->CheckList(false);
  for (checks.Start(); checks.More(); checks.Next()) {
    const Handle(Interface_Check)& check = checks.Value();
    if (check->NbFails() > 0 && result.problems == 0) result.first_problem = check->CFail(1);
    result.problems += std::size_t(check->NbFails());
  }
}

StepAssembly read(const std::filesystem::path& file, const StepOptions& options) {
  Message::DefaultMessenger()->ChangePrinters().Clear();  // it would write to standard output
  STEPCAFControl_Reader reader;
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  reader.SetColorMode(false);
  reader.SetLayerMode(false);
  reader.SetPropsMode(false);
  reader.SetNameMode(true);
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone) fail(file, "OpenCASCADE cannot read it as STEP");
  check_items(reader, file);
  check_assembly_tree(reader, file);
  refuse_other_files(reader, file);
  const Handle(TDocStd_Document) document = new TDocStd_Document("tumble");
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  Handle(TDocStd_Document) target = document;
  if (!reader.Transfer(target)) fail(file, "there is no shape in it");
  StepAssembly result;
  count_problems(reader, result);
  TDF_LabelSequence roots;
  shapes->GetFreeShapes(roots);
  TreeWalk walk(file, options, result);
  for (int i = 1; i <= roots.Length(); ++i) {
    const std::string name = name_of(roots.Value(i));
    walk.visit(roots.Value(i), gp_Trsf(), name.empty() ? file.stem().string() : name, 0);
  }
  if (result.assembly.instances.empty()) fail(file, "it has no part with faces");
  return result;
}

}  // namespace

StepAssembly load_step(const std::filesystem::path& file, const StepOptions& options) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(ErrorCode::invalid_argument, what);
  };
  require(!options.deflection ||
              (*options.deflection >= StepOptions::least_deflection && *options.deflection <= max_coordinate),
          "the deflection of a STEP file must be at least 1e-7 mm");
  require(options.angle >= 0.1 && options.angle <= 90, "the angle of a STEP file must be from 0.1 to 90 degrees");
  check_both_ends(file);
  try {
    return read(file, options);
  } catch (const Standard_OutOfMemory&) {
    throw std::bad_alloc();
  } catch (const Standard_Failure& failure) {
    const char* why = failure.GetMessageString();
    fail(file, std::string("OpenCASCADE gave up: ") + failure.DynamicType()->Name() + (why && *why ? ", " : "") +
                   (why ? why : ""));
  }
}

}  // namespace tumble

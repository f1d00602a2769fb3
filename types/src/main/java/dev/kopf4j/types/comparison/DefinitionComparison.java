package dev.kopf4j.types.comparison;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compares two definitions: their names, versions, and what belongs to a version beside its schema. Used once. */
public final class DefinitionComparison {
    private final Changes changes = new Changes();

    /** The changes from one definition to the other. */
    public List<Changes.Found> compare(Map<String, ?> before, Map<String, ?> after) {
        Tree old = Tree.of(before).at("spec");
        Tree fresh = Tree.of(after).at("spec");
        names(old, fresh);
        Map<String, Tree> versions = fresh.byKey("versions", "name");
        old.byKey("versions", "name").forEach((name, version) -> version(name, version, versions.get(name)));
        versions.keySet().stream()
                .filter(name -> !old.byKey("versions", "name").containsKey(name))
                .forEach(name -> changes.harmless(name, "the version is new"));
        Tree.of(before).at("status").list("storedVersions").stream()
                .map(String::valueOf)
                .filter(name -> !versions.containsKey(name))
                .forEach(name -> changes.breaking(
                        name, "the version is gone, but objects may be stored in it (status.storedVersions)"));
        return changes.list();
    }

    private void names(Tree old, Tree fresh) {
        for (String key : List.of("group", "scope")) {
            if (!old.text(key).equals(fresh.text(key))) {
                changes.breaking("", "the " + key + " was " + old.text(key) + ", and would be " + fresh.text(key));
            }
        }
        for (String key : List.of("kind", "plural", "singular", "listKind")) {
            String before = old.at("names").text(key);
            String after = fresh.at("names").text(key);
            if (!before.equals(after) && !before.isEmpty() && !after.isEmpty()) {
                changes.breaking("", key + " was " + before + ", and would be " + after);
            }
        }
        for (String key : List.of("shortNames", "categories")) {
            List<?> before = old.at("names").list(key);
            List<?> after = fresh.at("names").list(key);
            if (!after.containsAll(before)) {
                changes.breaking("", key + " were " + before + ", and would be " + after);
            } else if (!before.equals(after)) {
                changes.harmless("", key + " were " + before + ", and would be " + after);
            }
        }
    }

    private void version(String name, Tree old, @org.jspecify.annotations.Nullable Tree fresh) {
        if (fresh == null || (old.flag("served") && !fresh.flag("served"))) {
            if (old.flag("served")) {
                changes.breaking(name, "the version is no longer served");
            } else {
                changes.harmless(name, "the version, which was not served, is gone");
            }
            return;
        }
        if (old.flag("storage") != fresh.flag("storage")) {
            changes.harmless(name, fresh.flag("storage") ? "is stored from now on" : "is not stored any more");
        }
        if (old.flag("deprecated") != fresh.flag("deprecated")) {
            changes.harmless(name, fresh.flag("deprecated") ? "is deprecated" : "is not deprecated any more");
        }
        subresources(name, old.at("subresources"), fresh.at("subresources"));
        selectable(name, old, fresh);
        if (!old.list("additionalPrinterColumns").equals(fresh.list("additionalPrinterColumns"))) {
            changes.harmless(name, "the printer columns are others");
        }
        new SchemaComparison(changes, name)
                .compare(
                        old.at("schema").at("openAPIV3Schema"),
                        fresh.at("schema").at("openAPIV3Schema"),
                        "");
    }

    private void subresources(String name, Tree old, Tree fresh) {
        for (String key : List.of("status", "scale")) {
            if (old.has(key) && !fresh.has(key)) {
                changes.breaking(name, "the subresource " + key + " is gone");
            } else if (!old.has(key) && fresh.has(key)) {
                if (key.equals("status")) {
                    changes.breaking(
                            name,
                            "the subresource status is new: writes to the whole object do not change it any more");
                } else {
                    changes.harmless(name, "the subresource scale is new");
                }
            } else if (!Objects.equals(old.get(key), fresh.get(key))) {
                changes.breaking(name, "the subresource " + key + " has other paths");
            }
        }
    }

    private void selectable(String name, Tree old, Tree fresh) {
        var before = old.byKey("selectableFields", "jsonPath").keySet();
        var after = fresh.byKey("selectableFields", "jsonPath").keySet();
        before.stream()
                .filter(path -> !after.contains(path))
                .forEach(path -> changes.breaking(name, path + " is not selectable any more"));
        after.stream()
                .filter(path -> !before.contains(path))
                .forEach(path -> changes.harmless(name, path + " is selectable"));
    }
}

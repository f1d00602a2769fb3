package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OnConvert;
import dev.kopf4j.engine.conversion.ConversionPaths;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The versions of a definition that objects can come in, and those that they can be asked for in. Immutable.
 *
 * @param all those that the definition has
 * @param sources those that are served or stored, also by objects that were stored earlier
 * @param targets those that are served, and the one that is stored
 */
record DefinitionVersions(Set<String> all, Set<String> sources, Set<String> targets) {
    /** What a definition says. */
    static DefinitionVersions of(JsonNode definition) {
        Set<String> all = new LinkedHashSet<>();
        Set<String> targets = new LinkedHashSet<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            String name = version.path("name").asString("");
            all.add(name);
            if (version.path("served").asBoolean(false)
                    || version.path("storage").asBoolean(false)) {
                targets.add(name);
            }
        }
        Set<String> sources = new LinkedHashSet<>(targets);
        definition.path("status").path("storedVersions").forEach(version -> sources.add(version.asString("")));
        return new DefinitionVersions(all, sources, targets);
    }

    /** The ways that there are none of: {@code v1 -> v3}. */
    List<String> missing(ConversionPaths paths) {
        List<String> missing = new ArrayList<>();
        for (String from : sources) {
            targets.stream().filter(to -> !paths.leads(from, to)).forEach(to -> missing.add(from + " -> " + to));
        }
        return missing;
    }

    /** The versions that functions name, but the definition does not have. */
    List<String> unknown(ConversionPaths paths) {
        return paths.versions().stream()
                .filter(version -> !version.equals(OnConvert.HUB) && !all.contains(version))
                .toList();
    }
}

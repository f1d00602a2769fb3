package dev.kopf4j.image;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of the tool: options, each followed by a value. Immutable.
 *
 * @param values the values by the options, in their order
 */
record ImageArguments(Map<String, List<String>> values) {
    private static final Set<String> KNOWN = Set.of(
            "--base",
            "--base-tar",
            "--root-filesystem",
            "--layer",
            "--entrypoint",
            "--argument",
            "--environment",
            "--port",
            "--user",
            "--architecture",
            "--name",
            "--tar",
            "--layout",
            "--push",
            "--insecure-registry",
            "--cache",
            "--work");

    static ImageArguments parse(String... arguments) throws ImageException {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!KNOWN.contains(arguments[i]) || i + 1 == arguments.length) {
                throw new ImageException("the tool knows no option " + arguments[i] + " with a value");
            }
            values.computeIfAbsent(arguments[i], _ -> new ArrayList<>()).add(arguments[i + 1]);
        }
        return new ImageArguments(values);
    }

    List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }

    boolean has(String option) {
        return values.containsKey(option);
    }

    String one(String option, String otherwise) {
        return has(option) ? all(option).getLast() : otherwise;
    }
}

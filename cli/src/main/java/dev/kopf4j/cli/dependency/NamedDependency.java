package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A dependency that a source file names.
 *
 * @param version empty if the bill of materials of another line has it
 * @param classifier empty for none
 * @param type the file's extension: {@code jar}, or {@code pom} for a bill of materials
 * @param position the file and the line
 */
record NamedDependency(String group, String artifact, String version, String classifier, String type, String position) {
    private static final Pattern COORDINATES =
            Pattern.compile("([\\w.-]+):([\\w.-]+)(?::([\\w.+\\-\\[\\](),]*)(?::([\\w.-]+))?)?(?:@(\\w+))?");

    /**
     * Reads {@code group:artifact:version[:classifier][@type]}.
     *
     * @throws CommandException if it is something else
     */
    static NamedDependency parse(String text, String position) {
        Matcher parts = COORDINATES.matcher(text);
        if (!parts.matches()) {
            throw CommandException.usage(position + ": " + text
                    + " is no dependency: write //DEPS group:artifact:version, for example"
                    + " //DEPS org.apache.commons:commons-lang3:3.20.0");
        }
        return new NamedDependency(
                parts.group(1),
                parts.group(2),
                orElse(parts.group(3), ""),
                orElse(parts.group(4), ""),
                orElse(parts.group(5), "jar"),
                position);
    }

    private static String orElse(@org.jspecify.annotations.Nullable String text, String other) {
        return text == null ? other : text;
    }

    boolean isBom() {
        return type.equals("pom");
    }

    /** Returns {@code group:artifact:version}, as in the source. */
    String coordinates() {
        return group + ":" + artifact + (version.isEmpty() ? "" : ":" + version)
                + (classifier.isEmpty() ? "" : ":" + classifier);
    }
}

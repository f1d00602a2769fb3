package dev.kopf4j.cli.source;

import java.util.regex.Pattern;

/**
 * Says where libraries come from if the compiler points to an import. It looks at the line of the source in the
 * messages, not at their words, which depend on the language of the user. Pure.
 */
final class MissingImports {
    private static final Pattern IMPORT = Pattern.compile("import [\\w.* ]+;");

    private MissingImports() {}

    /** Returns a line with the ways out; empty if no import is wrong. */
    static String hint(String messages) {
        return messages.lines().noneMatch(line -> IMPORT.matcher(line).matches())
                ? ""
                : "Jars and folders of jars with what sources import are given by --classpath, those of Maven repositories"
                        + " by lines //DEPS group:artifact:version in a source.\n";
    }
}

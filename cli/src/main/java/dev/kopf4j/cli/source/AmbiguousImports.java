package dev.kopf4j.cli.source;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds class names in the compiler's messages that two packages have, both imported as a whole: fabric8's models have
 * a {@code Patch} and a {@code Status}, as kopf4j has. It looks at the names, not at the words of the messages, which
 * depend on the language of the user. Pure.
 */
final class AmbiguousImports {
    private static final Pattern OURS = Pattern.compile("\\bdev\\.kopf4j\\.([A-Z]\\w*)\\b");

    private AmbiguousImports() {}

    /** Returns a sentence with the way out for each such name. */
    static List<String> hints(String messages) {
        return messages.lines()
                .flatMap(line -> OURS.matcher(line)
                        .results()
                        .map(match -> match.group(1))
                        .filter(name -> namesAnother(line, name)))
                .distinct()
                .map(name -> "Two packages that are imported as a whole have a class " + name
                        + ": add `import dev.kopf4j." + name + ";` to use that of kopf4j.")
                .toList();
    }

    private static boolean namesAnother(String line, String name) {
        return Pattern.compile("(?<!\\bdev\\.kopf4j)\\." + name + "\\b")
                .matcher(line)
                .find();
    }
}

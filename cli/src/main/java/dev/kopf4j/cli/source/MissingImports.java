package dev.kopf4j.cli.source;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says where libraries come from if the compiler points to an import, and what to import if it points to the name of a
 * class that operators often use. It looks at the line of the source in the messages and at what is pointed to, not at
 * their words, which depend on the language of the user. Pure.
 */
final class MissingImports {
    private static final Pattern IMPORT = Pattern.compile("import [\\w.* ]+;");
    private static final Pattern POINTER = Pattern.compile(" *\\^");
    private static final Pattern CLASS_NAME = Pattern.compile("[A-Z]\\w*");
    private static final List<String> PACKAGES = List.of(
            "dev.kopf4j",
            "dev.kopf4j.crd",
            "dev.kopf4j.rbac",
            "dev.kopf4j.webhook",
            "java.util",
            "java.util.function",
            "java.time",
            "org.slf4j",
            "io.fabric8.kubernetes.client",
            "io.fabric8.kubernetes.api.model",
            "io.fabric8.kubernetes.api.model.apps",
            "io.fabric8.kubernetes.api.model.batch.v1",
            "io.fabric8.kubernetes.api.model.networking.v1");

    private MissingImports() {}

    /**
     * Lines with the ways out; none if no import is wrong.
     *
     * @param loader loads what the sources may import
     */
    static List<String> hints(String messages, ClassLoader loader) {
        List<String> hints = new ArrayList<>();
        if (messages.lines().anyMatch(line -> IMPORT.matcher(line).matches())) {
            hints.add("Jars and folders of jars with what sources import are given by --classpath, those of Maven"
                    + " repositories by lines //DEPS group:artifact:version in a source.");
        }
        for (String name : pointedTo(messages)) {
            String imports = PACKAGES.stream()
                    .map(each -> each + "." + name)
                    .filter(each -> exists(each, loader))
                    .map(each -> "`import " + each + ";`")
                    .collect(Collectors.joining(" or "));
            if (!imports.isEmpty()) {
                hints.add("The class " + name + " is not imported: add " + imports + ".");
            }
        }
        return hints;
    }

    /** The names of classes that the compiler points to, each once. */
    private static Set<String> pointedTo(String messages) {
        Set<String> names = new LinkedHashSet<>();
        String before = "";
        for (String line : messages.lines().toList()) {
            if (POINTER.matcher(line).matches() && line.length() <= before.length()) {
                Matcher name = CLASS_NAME.matcher(before).region(line.length() - 1, before.length());
                if (name.lookingAt()) {
                    names.add(name.group());
                }
            }
            before = line;
        }
        return names;
    }

    private static boolean exists(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}

package dev.kopf4j.cli.project;

import dev.kopf4j.cli.process.CommandException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/**
 * The names in a new project. Immutable.
 *
 * @param name its own: {@code greeting-operator}
 * @param group the group of its Maven coordinates and of its custom resource: {@code example.com}
 */
public record ProjectNames(String name, String group) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)+");
    private static final String SUFFIX = "-operator";

    /** What the sources of a new project mean by these words, or depend on without a word. */
    private static final Set<String> USED = Set.of(
            "Children",
            "Condition",
            "ConfigMap",
            "CustomResource",
            "KopfTest",
            "KubernetesClient",
            "List",
            "Map",
            "Object",
            "OnReconcile",
            "Operator",
            "Record",
            "Schema",
            "String",
            "Test",
            "TestCluster",
            "TestedOperator");

    /**
     * Checks the names.
     *
     * @throws CommandException if they are not fit for folders, packages and resources
     */
    public ProjectNames {
        if (!NAME.matcher(name).matches() || name.length() > 40) {
            throw CommandException.usage(
                    "The name of an operator has at most 40 small letters, digits and dashes, and begins with a"
                            + " letter, as greeting-operator; not: " + name);
        }
        if (!GROUP.matcher(group).matches() || !SourceVersion.isName(reversed(group))) {
            throw CommandException.usage(
                    "The group is a domain of small letters and digits, as example.com; not: " + group);
        }
        String kind = kind(name);
        if (USED.contains(kind)
                || USED.contains(kind + "Operator")
                || !SourceVersion.isName(javaPackage(name, group))) {
            throw CommandException.usage("The sources of a project cannot have a resource of the kind " + kind
                    + ", as this word means something else in them: give another name, such as my-" + name + ".");
        }
    }

    /** The kind of its custom resource: {@code Greeting}. */
    public String kind() {
        return kind(name);
    }

    private static String kind(String name) {
        String base = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        StringBuilder kind = new StringBuilder();
        for (String word : base.split("-", -1)) {
            kind.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return kind.toString();
    }

    /** The package of its sources: {@code com.example.greeting}. */
    String javaPackage() {
        return javaPackage(name, group);
    }

    private static String javaPackage(String name, String group) {
        return reversed(group) + "." + kind(name).toLowerCase(Locale.ROOT) + "s";
    }

    private static String reversed(String domain) {
        return String.join(".", java.util.List.of(domain.split("\\.", -1)).reversed());
    }

    /** What stands for what in templates. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("group", reversed(group));
        values.put("apiGroup", group);
        values.put("package", javaPackage());
        values.put("Kind", kind());
        return values;
    }
}

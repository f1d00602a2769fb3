package dev.kopf4j.cli.manifests;

import java.util.Locale;
import java.util.regex.Pattern;

/** The names of operators, made of the names of their files and classes, as Kubernetes wants names. Pure. */
public final class OperatorName {
    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

    private OperatorName() {}

    /** {@code website-operator} for {@code src/WebsiteOperator.java}, {@code operator} for {@code operator-1.0.jar}. */
    public static String of(String fileOrClass) {
        String name = fileOrClass.replaceFirst(".*[/\\\\]", "").replaceFirst("\\.(java|jar)$", "");
        String plain = name.replaceFirst("-\\d.*", "").replaceFirst(".*\\.", "");
        String words = plain.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
        String label = words.replaceAll("[^a-z0-9]+", "-").replaceAll("^[^a-z]+|-+$", "");
        return isName(label) ? label : "operator";
    }

    /** True if it may be the name of all objects, of services, too. */
    public static boolean isName(String name) {
        return LABEL.matcher(name).matches();
    }
}

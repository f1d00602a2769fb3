package dev.kopf4j.engine.observation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces: a name, or globs joined by commas, of which those behind a {@code !} exclude, as in
 * {@code "myapp-*,!*-pr-*,*-pr-123"}; or a regular expression for the whole name. Immutable.
 *
 * @param text the pattern as it was given
 * @param expression the regular expression; null for a name or globs
 */
public record NamespacePattern(String text, @Nullable Pattern expression) {
    /** Refuses what would be asked for for ever. */
    public NamespacePattern {
        if (expression == null && text.isBlank()) {
            throw new IllegalArgumentException("the name of a namespace is empty: name one, or all by clusterwide()");
        }
    }

    /** A name or globs. */
    public NamespacePattern(String text) {
        this(text, null);
    }

    /** A regular expression. */
    public NamespacePattern(Pattern expression) {
        this(expression.pattern(), expression);
    }

    /** As it was given. */
    @Override
    public String toString() {
        return text;
    }

    /** True if it is the name of one namespace, which need not be looked for. */
    public boolean isExact() {
        return expression == null && text.chars().noneMatch(c -> "!*?,[".indexOf(c) >= 0);
    }

    /**
     * The names, if all patterns are names; otherwise empty, as for the whole cluster: the names are not known then.
     */
    public static List<String> names(List<NamespacePattern> patterns) {
        return patterns.stream().allMatch(NamespacePattern::isExact)
                ? patterns.stream().map(NamespacePattern::text).distinct().toList()
                : List.of();
    }

    boolean matches(String namespace) {
        return expression == null
                ? matchesGlobs(namespace)
                : expression.matcher(namespace).matches();
    }

    /** What excludes takes away, what includes gives back, if only the first part had let it pass. */
    private boolean matchesGlobs(String namespace) {
        List<String> globs = globs();
        boolean first = matches(globs.getFirst(), namespace);
        boolean passes = first;
        for (String glob : globs.subList(1, globs.size())) {
            passes = glob.startsWith("!")
                    ? passes && !matches(glob.replaceFirst("^!+", ""), namespace)
                    : passes || (first && matches(glob, namespace));
        }
        return passes;
    }

    private List<String> globs() {
        List<String> globs = new ArrayList<>(
                Arrays.stream(text.split(",", -1)).map(String::strip).toList());
        if (globs.getFirst().startsWith("!")) {
            globs.addFirst("*");
        }
        return globs;
    }

    private static boolean matches(String glob, String name) {
        StringBuilder regex = new StringBuilder();
        int position = 0;
        while (position < glob.length()) {
            int end = glob.charAt(position) == '[' ? glob.indexOf(']', position + 2) : -1;
            if (end > 0) {
                regex.append(characters(glob.substring(position + 1, end)));
                position = end;
            } else {
                regex.append(character(glob.charAt(position)));
            }
            position++;
        }
        return Pattern.matches(regex.toString(), name);
    }

    private static String characters(String inside) {
        boolean excluding = inside.startsWith("!");
        String escaped = (excluding ? inside.substring(1) : inside).replaceAll("[\\\\\\[\\]&^]", "\\\\$0");
        return "[" + (excluding ? "^" : "") + escaped + "]";
    }

    private static String character(char c) {
        return switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(String.valueOf(c));
        };
    }
}

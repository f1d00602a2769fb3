package dev.kopf4j.devcluster.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Regular expressions as Go knows them (RE2): no looking ahead or back, {@code $} is the very end, and the time grows
 * with the text only. Thread-safe.
 */
public final class GoPatterns {
    private static final int KEPT = 500;
    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();

    private GoPatterns() {}

    /** What is wrong with an expression; empty if nothing is. */
    public static Optional<String> problem(String pattern) {
        try {
            Pattern.compile(pattern);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Whether an expression matches some part of a text; {@link IllegalArgumentException} if it is none. */
    public static boolean find(String pattern, String text) {
        return compiled(pattern).matcher(text).find();
    }

    /**
     * At most this number of matches, all if it is negative; an empty one does not follow another match at once:
     * {@code FindAllString} of Go's {@code regexp}. {@link IllegalArgumentException} if the expression is none.
     */
    public static List<String> findAll(String pattern, String text, long most) {
        Matcher matcher = compiled(pattern).matcher(text);
        List<String> found = new ArrayList<>();
        int end = -1;
        while ((most < 0 || found.size() < most) && matcher.find()) {
            boolean empty = matcher.start() == matcher.end();
            if (!empty || matcher.start() != end) {
                found.add(matcher.group());
            }
            end = matcher.end();
        }
        return found;
    }

    private static Pattern compiled(String pattern) {
        if (COMPILED.size() > KEPT) {
            COMPILED.clear();
        }
        try {
            return COMPILED.computeIfAbsent(pattern, Pattern::compile);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
        }
    }
}

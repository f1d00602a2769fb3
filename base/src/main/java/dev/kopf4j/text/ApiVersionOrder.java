package dev.kopf4j.text;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of API versions by priority: v10, v2, v1, v2beta1, v1alpha1, then others by the alphabet;
 * {@code pkg/version/helpers.go} of apimachinery, v1.33. Stateless.
 */
public final class ApiVersionOrder {
    private static final Pattern FORM = Pattern.compile("v([1-9]\\d{0,17})(?:(alpha|beta)([1-9]\\d{0,17}))?");

    /** The preferred version comes first. */
    public static final Comparator<String> PREFERRED_FIRST =
            Comparator.comparing(ApiVersionOrder::rank).reversed().thenComparing(Comparator.naturalOrder());

    private ApiVersionOrder() {}

    private record Rank(int stage, long major, long minor) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            return Comparator.comparingInt(Rank::stage)
                    .thenComparingLong(Rank::major)
                    .thenComparingLong(Rank::minor)
                    .compare(this, other);
        }
    }

    private static Rank rank(String version) {
        Matcher matcher = FORM.matcher(version);
        if (!matcher.matches()) {
            return new Rank(0, 0, 0);
        }
        String stage = matcher.group(2);
        long major = Long.parseLong(matcher.group(1));
        if (stage == null) {
            return new Rank(3, major, 0);
        }
        return new Rank(stage.equals("beta") ? 2 : 1, major, Long.parseLong(matcher.group(3)));
    }
}

package dev.kopf4j.devcluster.faultinjection;

import java.util.regex.Pattern;

/** Patterns of paths: {@code *} is any part between slashes, {@code **} is anything. Pure. */
final class PathPattern {
    private PathPattern() {}

    static boolean matches(String pattern, String path) {
        return Pattern.matches(regex(pattern), path);
    }

    private static String regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int at = 0; at < pattern.length(); at++) {
            if (pattern.startsWith("**", at)) {
                regex.append(".*");
                at++;
            } else if (pattern.charAt(at) == '*') {
                regex.append("[^/]*");
            } else {
                regex.append(Pattern.quote(pattern.substring(at, at + 1)));
            }
        }
        return regex.toString();
    }
}

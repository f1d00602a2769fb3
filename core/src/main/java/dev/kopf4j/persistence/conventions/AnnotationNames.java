package dev.kopf4j.persistence.conventions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** Fits record keys into the names of annotations: safe characters, a limited length, a hash behind cut ones. Pure. */
final class AnnotationNames {
    static final int NAME_LENGTH_MAX = 63;
    private static final int HASH_BYTES = 4;

    private AnnotationNames() {}

    /** The name in the newer version: at most 63 characters after the slash. */
    static String newer(String prefix, String key) {
        String suffix = length(key) > NAME_LENGTH_MAX ? suffix(key) : "";
        return prefix + "/" + head(safe(key), NAME_LENGTH_MAX - suffix.length()) + suffix;
    }

    /**
     * The name in the older version: at most 63 characters together with the prefix. Hashes the safe key, not the
     * original one. The room may be negative; it then counts from the end, as in Kopf.
     */
    static String older(String prefix, String key) {
        String safe = safe(key);
        int room = NAME_LENGTH_MAX - length(prefix) - 1;
        String suffix = length(safe) > room ? suffix(safe) : "";
        return prefix + "/" + head(safe, room - suffix.length()) + suffix;
    }

    static String suffix(String key) {
        String hash = Base64.getEncoder().encodeToString(Blake2b.digest(key.getBytes(UTF_8), HASH_BYTES));
        String suffix = "-" + hash.replace('+', '-').replace('/', '.');
        int end = suffix.length();
        while ("=-.".indexOf(suffix.charAt(end - 1)) >= 0) {
            end--;
        }
        return suffix.substring(0, end);
    }

    private static String safe(String key) {
        return key.replace('/', '.').replace('<', '_').replace('>', '_');
    }

    /**
     * Returns what Python's {@code text[:end]} returns, in code points: a negative end drops as many from the end of
     * the text.
     */
    private static String head(String text, int end) {
        if (text.length() <= end) {
            return text;
        }
        int length = length(text);
        int kept = Math.clamp(end < 0 ? length + end : end, 0, length);
        return text.substring(0, text.offsetByCodePoints(0, kept));
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}

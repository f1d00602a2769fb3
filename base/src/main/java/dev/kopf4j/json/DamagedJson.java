package dev.kopf4j.json;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be told of a JSON text that is damaged, or that no parser takes: texts at given paths, and whether its
 * brackets and quotes match. It reads every text, of any depth, without recursion. Immutable.
 */
public final class DamagedJson {
    /** Longer than any name in Kubernetes. */
    private static final int TEXT_MAX = 300;

    /** Texts deeper than this are not looked for. */
    private static final int LEVELS = 4;

    private final Map<String, String> texts;
    private final boolean closed;

    private DamagedJson(Map<String, String> texts, boolean closed) {
        this.texts = texts;
        this.closed = closed;
    }

    /** Reads what can be read. */
    public static DamagedJson of(byte[] json) {
        return new Reader(json).read();
    }

    /**
     * The text at a path such as {@code metadata.name}, at most four levels deep; null if there is none that could be a
     * name, a uid or a version.
     */
    public @Nullable String text(String path) {
        String text = texts.get(path);
        return text == null || text.isEmpty() ? null : text;
    }

    /** True if each bracket and each quote has its end: the text is whole, though something inside of it is wrong. */
    public boolean isClosed() {
        return closed;
    }

    private static final class Reader {
        private final byte[] json;
        private final String[] paths = new String[LEVELS + 1];
        private final Map<String, String> texts = new HashMap<>();
        private @Nullable String key;
        private int level;
        private boolean ended;

        Reader(byte[] json) {
            this.json = json;
            paths[0] = "";
        }

        DamagedJson read() {
            boolean whole = true;
            int at = 0;
            while (at < json.length) {
                switch (json[at]) {
                    case '"' -> {
                        int end = endOfText(at);
                        whole = end < json.length;
                        if (whole) {
                            take(at + 1, end);
                        }
                        at = end;
                    }
                    case '{', '[' -> open();
                    case '}', ']' -> close();
                    case ',' -> key = null;
                    default -> {}
                }
                at++;
            }
            return new DamagedJson(Map.copyOf(texts), whole && ended && level == 0);
        }

        private int endOfText(int begin) {
            int at = begin + 1;
            while (at < json.length && json[at] != '"') {
                at += json[at] == '\\' ? 2 : 1;
            }
            return Math.min(at, json.length);
        }

        private void open() {
            if (level < LEVELS) {
                paths[level + 1] = key == null ? paths[level] : paths[level] + key + ".";
            }
            level++;
            key = null;
        }

        private void close() {
            level = Math.max(0, level - 1);
            ended = level == 0;
            key = null;
        }

        /** A text after a colon is a value, another one may be a key. */
        private void take(int begin, int end) {
            if (level == 0 || level > LEVELS) {
                return;
            }
            if (key == null) {
                key = isFollowedByColon(end) ? name(begin, end).replace(".", "") : null;
                return;
            }
            texts.putIfAbsent(paths[level] + key, name(begin, end));
            key = null;
        }

        private boolean isFollowedByColon(int end) {
            int at = end + 1;
            while (at < json.length && Character.isWhitespace(json[at])) {
                at++;
            }
            return at < json.length && json[at] == ':';
        }

        /** Empty for what cannot be the name of anything: it might be too long for a log, or break its lines. */
        private String name(int begin, int end) {
            if (end - begin > TEXT_MAX) {
                return "";
            }
            String text = new String(json, begin, end - begin, StandardCharsets.UTF_8);
            return text.chars().allMatch(DamagedJson::belongsToNames) ? text : "";
        }
    }

    private static boolean belongsToNames(int letter) {
        return (letter < 128 && Character.isLetterOrDigit(letter)) || "-._:/".indexOf(letter) >= 0;
    }
}

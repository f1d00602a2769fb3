package dev.kopf4j.types.source;

import java.util.Map;

/** Writes descriptions as comments that are read back as they were. Pure. */
final class CommentText {
    private CommentText() {}

    /** True if a comment keeps the text: what looks like a tag, an escape, or blanks at the ends would be lost. */
    static boolean keeps(String text) {
        return !text.isEmpty()
                && text.equals(text.strip())
                && !text.contains("{@")
                && !text.contains("\\u")
                && text.lines().noneMatch(line -> line.stripLeading().startsWith("@"))
                && text.chars()
                        .allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f) || (c >= 0xa0 && c < 0xfff0))
                && text.chars().noneMatch(c -> c == 0x2028 || c == 0x2029);
    }

    /** The comment of a type and its components; empty if there is nothing to say. */
    static String of(String text, Map<String, String> params, String indent) {
        StringBuilder comment = new StringBuilder();
        lines(comment, text, indent);
        if (!text.isEmpty() && !params.isEmpty()) {
            comment.append(indent).append("///\n");
        }
        params.forEach((name, param) -> lines(comment, "@param " + name + " " + param, indent));
        return comment.toString();
    }

    private static void lines(StringBuilder comment, String text, String indent) {
        if (!text.isEmpty()) {
            for (String line : text.split("\n", -1)) {
                comment.append(indent)
                        .append("///")
                        .append(line.isEmpty() ? "" : " ")
                        .append(line)
                        .append('\n');
            }
        }
    }
}

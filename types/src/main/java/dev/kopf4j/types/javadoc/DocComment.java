package dev.kopf4j.types.javadoc;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A comment for documentation. Immutable.
 *
 * @param text what it says, without tags
 * @param params what it says of components, by their names
 */
record DocComment(String text, Map<String, String> params) {
    static final DocComment NONE = new DocComment("", Map.of());

    private static final Pattern TAG = Pattern.compile("^\\s*@(\\w+) ?(.*)$", Pattern.DOTALL);
    private static final Pattern PARAM = Pattern.compile("^(\\w+) ?(.*)$", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("\\{@\\w+\\s+([^{}]*)}");

    /**
     * Reads a comment.
     *
     * @param markdown true if its lines count as they are, which those of traditional comments do not
     */
    static DocComment of(String raw, boolean markdown) {
        Map<String, String> params = new HashMap<>();
        String text = "";
        for (String block : raw.split("\n(?=[ \t]*@\\w)", -1)) {
            Matcher tag = TAG.matcher(block);
            if (!tag.matches()) {
                text = clean(block, markdown);
            } else if (tag.group(1).equals("param")) {
                Matcher param = PARAM.matcher(tag.group(2));
                if (param.matches()) {
                    params.put(param.group(1), clean(param.group(2), markdown));
                }
            }
        }
        return new DocComment(text, params);
    }

    private static String clean(String text, boolean markdown) {
        if (markdown) {
            return INLINE.matcher(text)
                    .replaceAll("$1")
                    .replaceFirst("^\n+", "")
                    .replaceFirst("\n+$", "");
        }
        String plain = INLINE.matcher(text).replaceAll(tag -> Matcher.quoteReplacement(asMarkup(tag.group(1))));
        return Pattern.compile("(?:\\s*<p>\\s*)|(?:\n[ \t]*\n)\\s*")
                .splitAsStream(plain.strip())
                .map(paragraph -> paragraph.strip().replaceAll("\\s*\n\\s*", " "))
                .map(DocComment::withoutMarkup)
                .filter(paragraph -> !paragraph.isEmpty())
                .collect(Collectors.joining("\n\n"));
    }

    /** What stands in a tag is no markup, even if it looks like some. */
    private static String asMarkup(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String withoutMarkup(String paragraph) {
        return paragraph
                .replaceAll("</?[a-z]+[^<>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }
}

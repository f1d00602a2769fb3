package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerDeclarationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads Kubernetes' label selector syntax. What no label can be is refused, as a server does: such a filter would match
 * nothing, and a watch that selects by it would fail. One use, one thread.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/">syntax and character set</a>
 */
final class LabelSelectorParser {
    private static final String NAME = "[A-Za-z0-9](?:[-._A-Za-z0-9]*[A-Za-z0-9])?";
    private static final String DOMAIN_PART = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
    private static final Pattern KEY =
            Pattern.compile("(?:(?=.{1,253}/)" + DOMAIN_PART + "(?:\\." + DOMAIN_PART + ")*/)?(?=[^/]{1,63}$)" + NAME);
    private static final Pattern VALUE = Pattern.compile("(?=.{0,63}$)(?:" + NAME + ")?");

    private final String text;
    private int position;

    LabelSelectorParser(String text) {
        this.text = text;
    }

    /** True if labels may have that key. */
    static boolean isKey(String text) {
        return KEY.matcher(text).matches();
    }

    List<MetadataFilter> parse() {
        List<MetadataFilter> filters = new ArrayList<>();
        skipBlanks();
        while (position < text.length()) {
            filters.add(requirement());
            skipBlanks();
            if (position < text.length()) {
                expect(',', "a comma between requirements");
                skipBlanks();
                if (position == text.length()) {
                    throw malformed("a requirement behind the comma");
                }
            }
        }
        return filters;
    }

    private MetadataFilter requirement() {
        if (take('!')) {
            skipBlanks();
            return new MetadataFilter.Absent(key());
        }
        String key = key();
        skipBlanks();
        if (take('=')) {
            take('=');
            return new MetadataFilter.In(key, Set.of(value()));
        }
        if (text.startsWith("!=", position)) {
            position += 2;
            return new MetadataFilter.NotIn(key, Set.of(value()));
        }
        if (takeWord("in")) {
            return new MetadataFilter.In(key, values());
        }
        if (takeWord("notin")) {
            return new MetadataFilter.NotIn(key, values());
        }
        return new MetadataFilter.Present(key);
    }

    private Set<String> values() {
        skipBlanks();
        expect('(', "a list of values in parentheses");
        Set<String> values = new LinkedHashSet<>();
        do {
            values.add(value());
            skipBlanks();
        } while (take(','));
        expect(')', "a closing parenthesis");
        return values;
    }

    private String value() {
        skipBlanks();
        return possible(VALUE, "value", letters());
    }

    private String key() {
        String key = letters();
        if (key.isEmpty()) {
            throw malformed("a label key");
        }
        return possible(KEY, "key", key);
    }

    private String possible(Pattern form, String what, String word) {
        if (!form.matcher(word).matches()) {
            throw new HandlerDeclarationException("label selector '" + text + "': no label can have the " + what + " '"
                    + word + "'; it has up to 63 letters, digits, '-', '_' and '.', and begins and ends with a letter"
                    + " or digit" + (what.equals("key") ? "; a domain in small letters and '/' may be before it" : ""));
        }
        return word;
    }

    private String letters() {
        int start = position;
        while (position < text.length() && isLetter(text.charAt(position))) {
            position++;
        }
        return text.substring(start, position);
    }

    private static boolean isLetter(char c) {
        return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == '/';
    }

    private boolean takeWord(String word) {
        int end = position + word.length();
        boolean found = text.startsWith(word, position) && (end == text.length() || !isLetter(text.charAt(end)));
        if (found) {
            position = end;
        }
        return found;
    }

    private boolean take(char c) {
        boolean found = position < text.length() && text.charAt(position) == c;
        if (found) {
            position++;
        }
        return found;
    }

    private void expect(char c, String what) {
        if (!take(c)) {
            throw malformed(what);
        }
    }

    private void skipBlanks() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private HandlerDeclarationException malformed(String expected) {
        return new HandlerDeclarationException("label selector '" + text + "' is malformed at position "
                + (position + 1) + ": expected " + expected + "; write for example \"app=web,tier in (a,b),!legacy\"");
    }
}

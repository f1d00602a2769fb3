package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerDeclarationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads Kubernetes' label selector syntax. One use, one thread. */
final class LabelSelectorParser {
    private final String text;
    private int position;

    LabelSelectorParser(String text) {
        this.text = text;
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
            return new MetadataFilter.Absent(word("a label key"));
        }
        String key = word("a label key");
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
        return letters();
    }

    private String word(String what) {
        String word = letters();
        if (word.isEmpty()) {
            throw malformed(what);
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

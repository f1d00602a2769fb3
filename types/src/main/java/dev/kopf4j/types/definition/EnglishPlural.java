package dev.kopf4j.types.definition;

import java.util.Locale;

/** The plural of English nouns, as far as rules go; what is irregular is given by hand. Pure. */
public final class EnglishPlural {
    private EnglishPlural() {}

    /** The plural of a kind, in small letters: {@code Policy} gives {@code policies}. */
    public static String of(String kind) {
        String noun = kind.toLowerCase(Locale.ROOT);
        if (noun.matches(".*[^aeiou]y")) {
            return noun.substring(0, noun.length() - 1) + "ies";
        }
        return noun.matches(".*(s|x|z|ch|sh)") ? noun + "es" : noun + "s";
    }
}

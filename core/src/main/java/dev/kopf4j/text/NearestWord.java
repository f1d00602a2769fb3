package dev.kopf4j.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/** Guesses what was meant by a mistyped word. Pure. */
public final class NearestWord {
    private NearestWord() {}

    /** The choice that begins so, else whose word takes the fewest steps to type instead; empty if there are none. */
    public static <T> Optional<T> of(String word, Collection<T> choices, Function<T, String> wordOf) {
        return choices.stream().min(Comparator.comparingInt(choice -> steps(word, wordOf.apply(choice))));
    }

    /**
     * The nearest of the words if it is near enough to be likely: at most half of the letters, or two, are to be
     * changed.
     */
    public static Optional<String> likely(String word, Collection<String> choices) {
        return of(word, choices, Function.identity())
                .filter(choice -> steps(word, choice) <= Math.max(2, word.length() / 2));
    }

    private static int steps(String word, String choice) {
        return choice.startsWith(word) ? 0 : distance(word, choice);
    }

    /** How many letters have to be put in, left out or replaced (Levenshtein). */
    static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int column = 0; column < before.length; column++) {
            before[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] now = new int[before.length];
            now[0] = row;
            for (int column = 1; column < now.length; column++) {
                int replaced = before[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                now[column] = Math.min(replaced, Math.min(before[column], now[column - 1]) + 1);
            }
            before = now;
        }
        return before[other.length()];
    }
}

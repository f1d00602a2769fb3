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

    /** The nearest of the words if it is near enough to be likely: one step away, or a third of its letters. */
    public static Optional<String> likely(String word, Collection<String> choices) {
        return of(word, choices, Function.identity())
                .filter(choice -> steps(word, choice) <= Math.max(1, word.length() / 3));
    }

    private static int steps(String word, String choice) {
        return choice.startsWith(word) ? 0 : distance(word, choice);
    }

    /** How many letters have to be put in, left out, replaced, or swapped with the next one. */
    static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int row = 0; row <= one.length(); row++) {
            for (int column = 0; column <= other.length(); column++) {
                steps[row][column] = row == 0 || column == 0 ? row + column : leastOf(steps, one, other, row, column);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int leastOf(int[][] steps, String one, String other, int row, int column) {
        int replaced = steps[row - 1][column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(steps[row - 1][column], steps[row][column - 1]) + 1);
        boolean swapped = row > 1
                && column > 1
                && one.charAt(row - 1) == other.charAt(column - 2)
                && one.charAt(row - 2) == other.charAt(column - 1);
        return swapped ? Math.min(least, steps[row - 2][column - 2] + 1) : least;
    }
}

package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Collects mistakes, so that people see all of them at once instead of one at each start. Pure. */
public final class DeclarationMistakes {
    private DeclarationMistakes() {}

    /**
     * What the function makes of each.
     *
     * @throws HandlerDeclarationException if it throws that for one of them: the same; if for several: one with all the
     *     messages
     */
    public static <T, R> List<R> collect(Collection<T> all, Function<T, R> function) {
        List<R> made = new ArrayList<>();
        List<HandlerDeclarationException> mistakes = new ArrayList<>();
        for (T each : all) {
            try {
                made.add(function.apply(each));
            } catch (HandlerDeclarationException e) {
                mistakes.add(e);
            }
        }
        if (!mistakes.isEmpty()) {
            throw together(mistakes);
        }
        return made;
    }

    private static HandlerDeclarationException together(List<HandlerDeclarationException> mistakes) {
        if (mistakes.size() == 1) {
            return mistakes.getFirst();
        }
        HandlerDeclarationException all = new HandlerDeclarationException(
                mistakes.stream().map(Throwable::getMessage).distinct().collect(Collectors.joining("\n")));
        mistakes.forEach(all::addSuppressed);
        return all;
    }
}

package dev.kopf4j.checklist.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What can be changed in a class, and what comes of it. */
class ProductClassTest {
    /** What is changed. */
    @SuppressWarnings("unused") // called by reflection
    public static final class Example {
        private Example() {}

        public static String sign(int number) {
            return number < 0 ? "minus" : "plus";
        }

        public static long sum(long a, int b) {
            return a + b;
        }

        public static boolean isShort(String text) {
            return text.length() < 3;
        }

        public static List<String> remember(List<String> kept, String text, long position) {
            store(kept, position, text);
            return kept;
        }

        private static void store(List<String> kept, long position, String text) {
            kept.add(position + text);
        }

        public static Optional<String> lazily(String text) {
            Supplier<String> later = () -> text + "!";
            return Optional.of(later.get());
        }

        public static boolean never() {
            return false;
        }
    }

    /** Has methods that nobody has written. */
    public record Point(int x, int y) {
        int sum() {
            return x + y;
        }
    }

    /** Has methods that nobody has written. */
    public enum Colour {
        RED,
        BLUE;

        boolean isWarm() {
            return this == RED;
        }
    }

    /** Has nothing but a value that is found when the class is loaded. */
    public static final class Constants {
        static final int NUMBER = Integer.parseInt("7") + 1;

        private Constants() {}
    }

    /** Is written for chains of calls. */
    @SuppressWarnings("unused") // looked at, not called
    public static final class Options {
        private Options() {}

        Options name(StringBuilder names) {
            names.setLength(0);
            return this;
        }
    }

    private static final ProductClass EXAMPLE =
            new ProductClass(content("Example"), ProductClassTest.class.getClassLoader());

    private static byte[] content(String name) {
        try (InputStream stream = Example.class.getResourceAsStream("ProductClassTest$" + name + ".class")) {
            return Objects.requireNonNull(stream).readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Mutant> all() {
        return EXAMPLE.mutants(Example.class.getName(), line -> true);
    }

    /** What a method gives in all forms of the class that are not as they were. */
    private static List<Object> changed(MutationOperator operator, String method, Object... arguments) {
        Object before = call(Example.class, method, arguments);
        List<Object> changed = new ArrayList<>();
        for (Mutant mutant : all()) {
            Object now = call(loaded(EXAMPLE.with(mutant)), method, arguments);
            if (mutant.operator() == operator && !Objects.equals(now, before)) {
                changed.add(now);
            }
        }
        return changed;
    }

    private static Class<?> loaded(byte[] content) {
        return new ClassLoader(ProductClassTest.class.getClassLoader()) {
            private Class<?> define() {
                return defineClass(Example.class.getName(), content, 0, content.length);
            }
        }.define();
    }

    private static Object call(Class<?> type, String name, Object... arguments) {
        try {
            Method method = Arrays.stream(type.getMethods())
                    .filter(each -> each.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
            Object[] copies = Arrays.stream(arguments)
                    .map(each -> each instanceof List<?> list ? new ArrayList<>(list) : each)
                    .toArray();
            return String.valueOf(method.invoke(null, copies));
        } catch (ReflectiveOperationException e) {
            return String.valueOf(e.getCause());
        }
    }

    @Test
    void conditionsAreNegated() {
        assertThat(changed(MutationOperator.NEGATED_CONDITION, "sign", -1)).containsExactly("plus");
        assertThat(changed(MutationOperator.NEGATED_CONDITION, "isShort", "ab")).containsExactly("false");
    }

    @Test
    void arithmeticIsAnotherOne() {
        assertThat(changed(MutationOperator.OTHER_ARITHMETIC, "sum", 5L, 3)).containsExactly("2");
    }

    @Test
    void callsWithoutAResultAreLeftOut() {
        assertThat(changed(MutationOperator.NO_CALL, "remember", List.of(), "x", 7L))
                .containsExactly("[]");
    }

    @Test
    void nothingIsReturned() {
        assertThat(changed(MutationOperator.RETURNED_NOTHING, "sign", 1)).containsExactly("");
        assertThat(changed(MutationOperator.RETURNED_NOTHING, "sum", 5L, 3)).containsExactly("0");
        assertThat(changed(MutationOperator.RETURNED_NOTHING, "remember", List.of(), "x", 7L))
                .containsExactly("[]");
        assertThat(changed(MutationOperator.RETURNED_NOTHING, "isShort", "ab")).containsExactly("false");
        assertThat(changed(MutationOperator.RETURNED_TRUE, "isShort", "abc")).containsExactly("true");
    }

    @Test
    void lambdasAreChangedToo() {
        assertThat(changed(MutationOperator.RETURNED_NOTHING, "lazily", "x"))
                .containsExactlyInAnyOrder("Optional.empty", "Optional[]");
    }

    @Test
    void whatWouldStayTheSameIsLeftAlone() {
        assertThat(changed(MutationOperator.RETURNED_TRUE, "never")).containsExactly("true");
        List<Integer> lines = all().stream()
                .filter(mutant -> mutant.operator() == MutationOperator.RETURNED_TRUE)
                .map(mutant -> mutant.line().number())
                .toList();
        assertThat(all().stream()
                        .filter(mutant -> mutant.operator() == MutationOperator.RETURNED_NOTHING)
                        .map(mutant -> mutant.line().number()))
                .as("false is returned already where never() returns")
                .doesNotContain(lines.getLast());
    }

    @Test
    void whatRecordsHaveIsNobodysPromise() {
        var point = new ProductClass(content("Point"), ProductClassTest.class.getClassLoader());
        assertThat(point.mutants(Point.class.getName(), line -> true).stream().map(Mutant::operator))
                .as("of the sum")
                .containsExactlyInAnyOrder(MutationOperator.RETURNED_NOTHING, MutationOperator.OTHER_ARITHMETIC);
    }

    @Test
    void whatEnumsHaveIsNobodysPromise() {
        var colour = new ProductClass(content("Colour"), ProductClassTest.class.getClassLoader());
        assertThat(colour.mutants(Colour.class.getName(), line -> true).stream().map(Mutant::operator))
                .as("of isWarm")
                .containsExactlyInAnyOrder(
                        MutationOperator.NEGATED_CONDITION,
                        MutationOperator.RETURNED_NOTHING,
                        MutationOperator.RETURNED_TRUE);
    }

    @Test
    void whatInitializesAClassIsNotChanged() {
        var constants = new ProductClass(content("Constants"), ProductClassTest.class.getClassLoader());
        assertThat(constants.mutants(Constants.class.getName(), line -> true)).isEmpty();
    }

    @Test
    void whatIsReturnedForTheNextCallOfAChainStays() {
        var options = new ProductClass(content("Options"), ProductClassTest.class.getClassLoader());
        assertThat(options.mutants(Options.class.getName(), line -> true).stream()
                        .map(Mutant::operator))
                .as("the call alone")
                .containsExactly(MutationOperator.NO_CALL);
    }

    @Test
    void onlyTheNamedLinesAreChanged() {
        int line = all().getFirst().line().number();
        assertThat(EXAMPLE.mutants(Example.class.getName(), number -> number == line))
                .isNotEmpty()
                .allMatch(mutant -> mutant.line().number() == line);
    }

    @Test
    void mutantsAreReadAsTheyAreWritten() {
        assertThat(all())
                .isNotEmpty()
                .allMatch(mutant -> Mutant.parse(mutant.toString()).equals(mutant));
        PlannedMutant planned = new PlannedMutant(all().getFirst(), List.of("a.B#c()", "a.B#d(int, long)"));
        assertThat(PlannedMutant.parse(planned.toString())).isEqualTo(planned);
    }
}

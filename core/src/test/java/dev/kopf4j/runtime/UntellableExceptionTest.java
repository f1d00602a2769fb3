package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.runtime.Platform.UntellableException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link UntellableException}: failures of other people's code, whose own code may fail. */
class UntellableExceptionTest {
    private static final String READ = " (it cannot be told in full: java.lang.NoClassDefFoundError)";

    /** One of its methods fails. */
    private static final class Failing extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String method;

        Failing(String method) {
            super("a message");
            this.method = method;
        }

        private <T> T answer(String name, T value) {
            if (method.equals(name)) {
                throw new NoClassDefFoundError("x/Y");
            }
            return value;
        }

        @Override
        public String getMessage() {
            return answer("getMessage", "a message");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            var _ = answer("getCause", "");
            return null;
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return answer("getStackTrace", super.getStackTrace());
        }

        @Override
        public String toString() {
            return answer("toString", "failing");
        }
    }

    static Stream<String> methods() {
        return Stream.of("getCause", "getStackTrace", "toString");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void saysWhatCanBeSaid(String method) {
        Throwable told = Platform.tellable(new Failing(method));
        assertThat(told).hasToString(Failing.class.getName() + ": a message" + READ);
        assertThat(told.getStackTrace().length == 0).isEqualTo(method.equals("getStackTrace"));
    }

    @Test
    void saysThatTheMessageCannotBeRead() {
        Throwable told = Platform.tellable(new IllegalStateException("outer", new Failing("getMessage")));
        assertThat(told).hasToString("java.lang.IllegalStateException: outer" + READ);
        assertThat(Platform.tellable(new Failing("getMessage")))
                .hasToString(Failing.class.getName() + ": (its message cannot be read: java.lang.NoClassDefFoundError)"
                        + READ);
    }

    @Test
    void leavesOutCausesThatAreTooMany() {
        Exception last = new IllegalStateException("first");
        for (int i = 0; i < 100_000; i++) {
            last = new IllegalStateException("more", last);
        }
        assertThat(Platform.tellable(last))
                .hasToString("java.lang.IllegalStateException: more"
                        + " (it cannot be told in full: it has more than 1000 causes)")
                .hasNoCause();
    }

    @Test
    void allOthersStayAsTheyAre() {
        Exception outer = new IllegalStateException("outer");
        outer.initCause(new IllegalStateException("inner", outer));
        outer.addSuppressed(new Error());
        assertThat(Platform.tellable(outer)).isSameAs(outer);
    }
}

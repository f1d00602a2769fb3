package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.checklist.KotlinClasses;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Properties of Kotlin whose names begin with {@code is}. */
class KotlinPropertiesTest {
    /**
     * As {@code data class Job(val isDone: Boolean, val isReady: Boolean?, val isBy: String, val done: Int)} with a
     * {@code var isOpen: Boolean = false} and a {@code val isIdle get() = ...}.
     */
    public static final class Job {
        private final boolean isDone;
        private final Boolean isReady;
        private final String isBy;
        private final int done;
        private boolean isOpen;

        public Job(boolean isDone, Boolean isReady, String isBy, int done) {
            this.isDone = isDone;
            this.isReady = isReady;
            this.isBy = isBy;
            this.done = done;
        }

        public boolean isDone() {
            return isDone;
        }

        public Boolean isReady() {
            return isReady;
        }

        public String isBy() {
            return isBy;
        }

        public int getDone() {
            return done;
        }

        public boolean isOpen() {
            return isOpen;
        }

        public void setOpen(boolean open) {
            isOpen = open;
        }

        public boolean isIdle() {
            return !isDone;
        }
    }

    private static final String JSON = "{'isDone':true,'isReady':true,'isBy':'me','done':3,'isOpen':true}";

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    private static JsonNode through(Class<?> type) {
        return Json.fromJava(Json.bind(json(JSON), type));
    }

    /**
     * What a constructor takes as isDone, and what is written as done, would be another value when it is read again.
     */
    @Test
    void areWrittenByTheNamesByWhichTheyAreRead() throws Exception {
        Class<?> job = new KotlinClasses(Job.class, Map.of(), Map.of()).loadClass(Job.class.getName());
        assertThat(job).isNotEqualTo(Job.class);
        assertThat(through(job))
                .isEqualTo(json(JSON.replace("}", ",'isIdle':false}")))
                .isEqualTo(Json.fromJava(Json.bind(through(job), job)));
    }

    @Test
    void classesOfJavaKeepTheNamesOfTheirGetters() {
        JsonNode written = through(Job.class);
        assertThat(written.has("isDone")).isFalse();
        assertThat(written.path("open")).isEqualTo(json("false"));
        assertThat(written.path("idle").isBoolean()).isTrue();
    }
}

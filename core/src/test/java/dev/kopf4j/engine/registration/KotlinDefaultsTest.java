package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.checklist.KotlinClasses;
import dev.kopf4j.engine.OperatorPlan;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Default arguments of Kotlin's data classes. */
@SuppressWarnings("unused") // handlers are found by reflection
class KotlinDefaultsTest {
    /** As {@code data class Site(val owner: String, val weight: Long, val size: Int = 3, val note: String?)}. */
    public static final class Site {
        private final String owner;
        private final long weight;
        private final int size;
        private final @Nullable String note;

        public Site(String owner, long weight, int size, @Nullable String note) {
            this.owner = owner;
            this.weight = weight;
            this.size = size;
            this.note = note;
        }

        public String getOwner() {
            return owner;
        }

        public long getWeight() {
            return weight;
        }

        public int getSize() {
            return size;
        }

        public @Nullable String getNote() {
            return note;
        }
    }

    public static final class Handlers {
        @OnCreate("kex")
        public void create(Site spec) {}
    }

    private static void register(Map<Integer, ConstantDesc> defaults) throws Exception {
        Class<?> handlers =
                new KotlinClasses(Site.class, defaults, Map.of(), Handlers.class).loadClass(Handlers.class.getName());
        assertThat(handlers).isNotEqualTo(Handlers.class);
        RegistryBuilder.build(
                OperatorPlan.of(Operator.builder().handlers(handlers)).registrations());
    }

    @Test
    void refusesWhatWouldBeNothingInsteadOfItsDefault() {
        assertThatThrownBy(() -> register(Map.of(1, 4L, 2, 3)))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll(
                        "parameter 'Site spec' of Handlers.create(Site)",
                        "an absent 'weight', 'size' of Site would be 0, false or null",
                        "@Schema(defaultValue = [\"3\"])");
        assertThatThrownBy(() -> register(Map.of(3, "none"))).hasMessageContaining("an absent 'note' of Site");
    }

    @Test
    void takesDefaultsThatAbsentValuesHaveAnyway() throws Exception {
        register(Map.of(1, 0L, 2, 0, 3, ConstantDescs.NULL));
    }
}

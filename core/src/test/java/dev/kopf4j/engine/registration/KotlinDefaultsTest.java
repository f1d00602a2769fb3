package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Field;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.checklist.KotlinClasses;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

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

    public static final class Lists {
        @OnCreate("kex")
        public void create(@Field("spec.sites") List<Site> sites) {}
    }

    public static final class Mappings {
        @OnCreate("kex")
        public void create(@Field("spec.sites") Optional<Map<String, Site>> sites) {}
    }

    public static final class Conversions {
        @OnConvert(value = "kex", from = "v1", to = "v2")
        public Site up(Site spec) {
            return spec;
        }
    }

    private static void register(Map<Integer, ConstantDesc> defaults) throws Exception {
        register(Handlers.class, defaults);
    }

    private static void register(Class<?> compiled, Map<Integer, ConstantDesc> defaults) throws Exception {
        Class<?> handlers = new KotlinClasses(Site.class, defaults, Map.of(), compiled).loadClass(compiled.getName());
        assertThat(handlers).isNotEqualTo(compiled);
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

    @ParameterizedTest
    @ValueSource(classes = {Lists.class, Mappings.class})
    void refusesSuchATypeWithinOthers(Class<?> handlers) {
        assertThatThrownBy(() -> register(handlers, Map.of(2, 3)))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("an absent 'size' of Site");
    }

    /** The operator starts, and every conversion would be wrong. */
    @Test
    void refusesSuchATypeOfAConversion() {
        assertThatThrownBy(() -> register(Conversions.class, Map.of(2, 3)))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll("parameter 'Site spec' of Conversions.up(Site)", "an absent 'size' of Site");
    }

    /** What this program has written itself has all fields: results of steps, a status that is compared. */
    @Test
    void bindsValuesOfSuchATypeElsewhere() throws Exception {
        Class<?> site =
                new KotlinClasses(Site.class, Map.of(2, 3), Map.of(), Handlers.class).loadClass(Site.class.getName());
        JsonNode written = Json.parse("{\"owner\":\"me\",\"weight\":1,\"size\":5,\"note\":null}");
        assertThat(ModelBinding.json(ModelBinding.bind(written, site, FieldPath.ROOT, () -> "a result")))
                .isEqualTo(written);
    }

    @Test
    void takesDefaultsThatAbsentValuesHaveAnyway() throws Exception {
        register(Map.of(1, 0L, 2, 0, 3, ConstantDescs.NULL));
    }

    /** As {@code data class Over @JvmOverloads constructor(val name: String, val size: Int = 4)}. */
    public static final class Over {
        private final String name;
        private final int size;

        public Over(String name, int size) {
            this.name = name;
            this.size = size;
        }

        public Over(String name) {
            this(name, 4);
        }

        public String getName() {
            return name;
        }

        public int getSize() {
            return size;
        }
    }

    /** As {@code @JvmInline value class Id(val value: String)}, where it is no argument. */
    public static final class Id {
        private final String value;

        private Id(String value) {
            this.value = value;
        }

        public String getValue() {
            return value;
        }
    }

    /** As {@code class Version(val major: Int) { constructor(text: String) ... }}: a text is read by it. */
    public static final class Version {
        private final int major;

        public Version(int major, int minor) {
            this.major = major + minor;
        }

        public Version(String text) {
            this(Integer.parseInt(text), 0);
        }

        public int getMajor() {
            return major;
        }
    }

    public static final class OfOver {
        @OnCreate("kex")
        public void create(@Field("spec.all") List<Over> all) {}
    }

    public static final class OfId {
        @OnCreate("kex")
        public void create(@Field("spec.ids") List<Id> ids) {}
    }

    public static final class OfVersion {
        @OnCreate("kex")
        public void create(@Field("spec.version") Version version) {}
    }

    private static void register(Class<?> type, Class<?> handlers, Map<Integer, ConstantDesc> defaults)
            throws Exception {
        Class<?> loaded = new KotlinClasses(type, defaults, Map.of(), handlers).loadClass(handlers.getName());
        RegistryBuilder.build(
                OperatorPlan.of(Operator.builder().handlers(loaded)).registrations());
    }

    /** Each object would fail, and a deletion would go without its handler. */
    @Test
    void refusesTypesThatNobodyCanMake() throws Exception {
        assertThatThrownBy(() -> register(Over.class, OfOver.class, Map.of(1, 4)))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContainingAll(
                        "OfOver.create(List)",
                        "objects of Over cannot be made: it has several constructors; leave @JvmOverloads out");
        assertThatThrownBy(() -> register(Id.class, OfId.class, Map.of()))
                .hasMessageContaining("objects of Id cannot be made: let it have a public constructor");
        register(Version.class, OfVersion.class, Map.of(1, 3));
    }

    /** As {@code data class Plain(val name: String)}, compiled without {@code -java-parameters}. */
    public static final class Plain {
        private final String name;
        private final int size;

        public Plain(String name, int size) {
            this.name = name;
            this.size = size;
        }

        public String getName() {
            return name;
        }

        public int getSize() {
            return size;
        }
    }

    public static final class OfPlain {
        @OnCreate("kex")
        public void create(@Field("spec.plain") Plain plain) {}
    }

    @Test
    void tellsThatTheNamesOfArgumentsLack() throws Exception {
        register(Plain.class, OfPlain.class, Map.of());
        Class<?> nameless = new KotlinClasses(Plain.class, Map.of(), Map.of(), OfPlain.class)
                .withoutNames()
                .loadClass(OfPlain.class.getName());
        OperatorPlan plan = OperatorPlan.of(Operator.builder().handlers(nameless));
        assertThatThrownBy(() -> RegistryBuilder.build(plan.registrations()))
                .hasMessageContaining("objects of Plain cannot be made: its class has no names of the constructor's"
                        + " arguments; compile it with -java-parameters");
        Class<?> closed = new KotlinClasses(Id.class, Map.of(), Map.of(), OfId.class)
                .withoutNames()
                .loadClass(OfId.class.getName());
        OperatorPlan another = OperatorPlan.of(Operator.builder().handlers(closed));
        assertThatThrownBy(() -> RegistryBuilder.build(another.registrations()))
                .as("names would not help")
                .hasMessageContaining("objects of Id cannot be made: let it have a public constructor");
    }
}

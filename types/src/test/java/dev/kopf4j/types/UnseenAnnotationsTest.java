package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.checklist.KotlinClasses;
import dev.kopf4j.crd.CustomResource;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.constant.ConstantDesc;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What only class files say of types: annotations that are not kept at run time, and what Kotlin's compiler writes. */
class UnseenAnnotationsTest {
    static final class OfMembers {
        @Retention(RetentionPolicy.CLASS)
        @Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
        @interface Nullable {}
    }

    static final class OfTypes {
        @Retention(RetentionPolicy.CLASS)
        @Target(ElementType.TYPE_USE)
        @interface Nullable {}
    }

    record Spec(
            String owner,
            @OfMembers.Nullable String note,
            @OfTypes.Nullable String other,
            List<@OfTypes.Nullable String> all) {}

    @CustomResource(group = "example.com", version = "v1")
    record Thing(Spec spec) {}

    private static @Nullable Object required(Class<?> type) {
        return View.of(View.of(CustomResourceDefinitions.of(type).getFirst())
                        .get("spec.versions", new TypeRef<List<Map<String, ?>>>() {})
                        .orElseThrow()
                        .getFirst())
                .at("schema.openAPIV3Schema.properties.spec")
                .toMap()
                .get("required");
    }

    @Test
    void nullableOfAnyRetentionMakesAComponentOptional() {
        assertThat(required(Thing.class)).isEqualTo(List.of("owner", "all"));
    }

    /** As {@code data class Site(val owner: String, val size: Int, val note: String?)}. */
    public static final class Site {
        private final String owner;
        private final int size;
        private final String note;

        public Site(String owner, int size, String note) {
            this.owner = owner;
            this.size = size;
            this.note = note;
        }

        public String getOwner() {
            return owner;
        }

        public int getSize() {
            return size;
        }

        public String getNote() {
            return note;
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    public record Place(Site spec) {}

    private static Class<?> place(Map<Integer, ConstantDesc> defaults) throws Exception {
        String annotations = "org.jetbrains.annotations.";
        return new KotlinClasses(
                        Site.class,
                        defaults,
                        Map.of("owner", annotations + "NotNull", "note", annotations + "Nullable"),
                        Place.class)
                .loadClass(Place.class.getName());
    }

    @Test
    void whatAConstructorOfKotlinDoesNotTakeAsNullIsRequired() throws Exception {
        assertThat(required(place(Map.of()))).isEqualTo(List.of("owner"));
    }

    @Test
    void aClassWhoseDefaultArgumentsNobodyFollowsIsRefused() throws Exception {
        Class<?> place = place(Map.of(1, 3));
        assertThatThrownBy(() -> CustomResourceDefinitions.of(place))
                .hasMessageContainingAll("default arguments of Kotlin are not followed", "'size' of Site");
    }

    /** As {@code data class Site(val isActive: Boolean)}. */
    public static final class Flags {
        private final boolean isActive;

        public Flags(boolean isActive) {
            this.isActive = isActive;
        }

        public boolean isActive() {
            return isActive;
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    public record Flagged(Flags spec, @Nullable Flags status) {}

    /** That is what is read and written. */
    @Test
    void propertiesOfKotlinHaveTheirOwnNames() throws Exception {
        Class<?> flagged =
                new KotlinClasses(Flags.class, Map.of(), Map.of(), Flagged.class).loadClass(Flagged.class.getName());
        assertThat(CustomResourceDefinitions.of(flagged).getFirst().toString())
                .contains("isActive")
                .doesNotContain("active=");
    }

    /** As {@code @JvmInline value class Id(val value: String)}. */
    public static final class Id {
        private final String value;

        @SuppressWarnings("UnusedMethod") // Jackson looks at it
        private Id(String value) {
            this.value = value;
        }

        public String getValue() {
            return value;
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    public record Identified(List<Id> spec) {}

    @Test
    void aClassOfKotlinThatNobodyCanMakeIsRefusedInItsWords() throws Exception {
        Class<?> identified =
                new KotlinClasses(Id.class, Map.of(), Map.of(), Identified.class).loadClass(Identified.class.getName());
        assertThatThrownBy(() -> CustomResourceDefinitions.of(identified))
                .hasMessageContaining("cannot make objects of class Id: let it have a public constructor");
    }
}

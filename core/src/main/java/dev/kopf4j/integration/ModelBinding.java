package dev.kopf4j.integration;

import dev.kopf4j.BindingException;
import dev.kopf4j.View;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.ForeignTypes;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.KotlinDefaults;
import dev.kopf4j.json.MisreadTypeException;
import dev.kopf4j.json.UnseenAnnotations;
import dev.kopf4j.spi.Integration;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes typed values of parts of objects, and JSON of values of users: models, and what they consist of, by their own
 * library, views by what they show, everything else by Jackson. Thread-safe.
 */
public final class ModelBinding {
    /** The packages and the outer classes before a name. */
    private static final Pattern QUALIFIERS = Pattern.compile("[\\w$.]+[.$](?=\\w)");

    /**
     * The title of a Secret, or of a part of one, such as {@code data in Secret default/x}: whoever binds it, its
     * values are told to nobody.
     */
    private static final Pattern OF_SECRET = Pattern.compile("(?:.* )?Secret \\S+");

    private static final JsonMapper MAPPER = Json.mapper(new LibraryTypes());

    private ModelBinding() {}

    /**
     * Forgets how the types of users are read and written, as an operator has ended: its classes may be those of a
     * class loader that ends, too, such as after a restart by a development tool. Others learn theirs again.
     */
    public static void forgetTypes() {
        MAPPER.clearCaches();
        Json.mapper().clearCaches();
    }

    /**
     * Returns the JSON of a value that a user has given, as {@link Json#fromJava} does, also where models, their parts,
     * or views are in it.
     *
     * @throws JsonConversionException if it cannot be expressed in JSON
     */
    public static JsonNode json(@Nullable Object value) {
        return Json.fromJava(value instanceof View view ? view.toMap() : value, MAPPER);
    }

    /**
     * Binds a value.
     *
     * @param at the path of the value in the thing with the title
     * @param title the name of the thing, for the message
     * @throws BindingException if it does not fit
     */
    public static Object bind(JsonNode value, Type type, FieldPath at, Supplier<String> title) {
        try {
            Optional<Integration> integration =
                    type instanceof Class<?> cls ? IntegrationLookup.forModelType(cls) : Optional.empty();
            return integration.isPresent()
                    ? integration.get().bind(Json.text(value), (Class<?>) type)
                    : Json.bind(value, type, at, MAPPER);
        } catch (JsonConversionException e) {
            throw misfit(type, title.get(), e);
        } catch (IllegalArgumentException e) {
            throw misfit(type, title.get(), e);
        }
    }

    /**
     * Why values of a type would be read in another way than it says, for people; empty if they would not. Whatever
     * else is wrong with the type is told where a value is bound. Only here are defaults of Kotlin looked for, and
     * types of it that nobody can make: a value that this program has written has all of its fields.
     */
    public static Optional<String> misreading(Type type) {
        return problem(() -> {
            JavaType whole = MAPPER.constructType(type);
            MAPPER.readerFor(whole);
            KotlinDefaults.refuse(whole, MAPPER);
        });
    }

    /** The same for values that are written; those of subclasses are not known yet. */
    public static Optional<String> miswriting(Type type) {
        return problem(() -> MAPPER.writerFor(MAPPER.constructType(type)));
    }

    /**
     * The names by which the fields of a record or bean are read; empty if it takes any other, too, or is read in
     * another way.
     */
    public static Set<String> fields(Type type) {
        Set<String> fields = new HashSet<>();
        JavaType whole = MAPPER.constructType(type);
        problem(() -> MAPPER.rebuild()
                .addModule(new SimpleModule("fields").setDeserializerModifier(new ReadFields(whole, fields)))
                .build()
                .readerFor(whole));
        return fields;
    }

    /** Notes the fields of one type. Confined to one look. */
    @SuppressWarnings("serial") // nobody stores it
    private static final class ReadFields extends ValueDeserializerModifier {
        private final JavaType type;
        private final Set<String> fields;

        ReadFields(JavaType type, Set<String> fields) {
            this.type = type;
            this.fields = fields;
        }

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> reader) {
            if (type.hasRawClass(description.getBeanClass())
                    && reader instanceof BeanDeserializerBase bean
                    && !bean.getValueInstantiator().canCreateUsingDelegate()
                    && description.get().findAnySetterAccessor() == null) {
                List<SettableBeanProperty> read = new ArrayList<>();
                bean.properties().forEachRemaining(read::add);
                if (read.stream().noneMatch(each -> takesOthers(config, each))) {
                    read.forEach(each -> {
                        fields.add(each.getName());
                        each.findAliases(config).forEach(alias -> fields.add(alias.getSimpleName()));
                    });
                }
            }
            return reader;
        }

        /** The fields of what it holds are those of the object itself. */
        private static boolean takesOthers(DeserializationConfig config, SettableBeanProperty property) {
            return property.getMember() != null
                    && config.getAnnotationIntrospector().findUnwrappingNameTransformer(config, property.getMember())
                            != null;
        }
    }

    /** Looks at the type, and at those of its fields. */
    private static Optional<String> problem(Runnable look) {
        try {
            look.run();
            return Optional.empty();
        } catch (MisreadTypeException e) {
            return Optional.ofNullable(e.getMessage());
        } catch (IllegalArgumentException | LinkageError _) {
            return Optional.empty();
        }
    }

    /** True if an annotation of a user's type asks for another form of its values, and Jackson does not see it. */
    public static boolean isUnseenForm(Annotation annotation) {
        return UnseenAnnotations.isOtherForm(annotation);
    }

    /** The types of the libraries that are there, and views, which are written as what they show, and show mappings. */
    private static final class LibraryTypes implements ForeignTypes {
        @Override
        public boolean writes(Class<?> type) {
            return View.class.isAssignableFrom(type) || reads(type);
        }

        @Override
        public boolean reads(Class<?> type) {
            return type == View.class || IntegrationLookup.forValueType(type).isPresent();
        }

        @Override
        public @Nullable Object written(Object value) {
            return value instanceof View view
                    ? view.toMap()
                    : library(value.getClass()).toValue(value);
        }

        @Override
        public Object read(JsonNode json, Class<?> type) {
            if (type == View.class) {
                return View.of(Json.toMutableMap(mapping(json)));
            }
            return library(type).bind(Json.text(json), type);
        }

        private static ObjectNode mapping(JsonNode json) {
            if (json instanceof ObjectNode mapping) {
                return mapping;
            }
            throw new IllegalArgumentException("a view shows a mapping, and this is none");
        }

        private static Integration library(Class<?> type) {
            return IntegrationLookup.forValueType(type).orElseThrow();
        }
    }

    /** Packages are left out: the message also reaches those who apply an object that an admission handler refuses. */
    private static BindingException misfit(Type type, String title, RuntimeException e) {
        String name = QUALIFIERS.matcher(type.getTypeName()).replaceAll("");
        BindingException misfit =
                new BindingException(title + " does not fit " + name, String.valueOf(e.getMessage()), e);
        return OF_SECRET.matcher(title).matches() ? misfit.withoutValues() : misfit;
    }
}

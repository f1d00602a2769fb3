package dev.kopf4j.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.ser.Serializers;

/**
 * Types that Jackson does not know how to read and write, but another library does, such as the one that they belong
 * to. Thread-safe.
 */
public interface ForeignTypes {
    /** True if values of the type are {@link #written} in another way than Jackson's. */
    boolean writes(Class<?> type);

    /** True if values of the type are {@link #read} in another way than Jackson's. */
    boolean reads(Class<?> type);

    /** Returns what is written of a value: maps, lists, texts, numbers, flags. */
    @Nullable Object written(Object value);

    /**
     * Makes a value of JSON.
     *
     * @throws RuntimeException if the JSON does not fit, with the reason in the message
     */
    Object read(JsonNode json, Class<?> type);

    /** Lets Jackson ask for these types, wherever it comes to one: in records, beans, lists and maps. */
    final class ForeignTypesModule extends JacksonModule {
        private final ForeignTypes types;

        ForeignTypesModule(ForeignTypes types) {
            this.types = types;
        }

        @Override
        public String getModuleName() {
            return getClass().getName();
        }

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public void setupModule(SetupContext context) {
            context.addSerializers(new Writers());
            context.addDeserializers(new Readers());
        }

        private final class Writers extends Serializers.Base {
            @Override
            public @Nullable ValueSerializer<?> findSerializer(
                    SerializationConfig config,
                    JavaType type,
                    BeanDescription.Supplier description,
                    JsonFormat.Value format) {
                return types.writes(type.getRawClass()) ? new Writer() : null;
            }
        }

        private final class Readers extends Deserializers.Base {
            @Override
            public @Nullable ValueDeserializer<?> findBeanDeserializer(
                    JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
                return types.reads(type.getRawClass()) ? new Reader(type) : null;
            }

            @Override
            public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
                return types.reads(type);
            }
        }

        private final class Writer extends ValueSerializer<Object> {
            @Override
            public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
                context.writeValue(generator, types.written(value));
            }
        }

        private final class Reader extends ValueDeserializer<Object> {
            private final JavaType type;

            Reader(JavaType type) {
                this.type = type;
            }

            @Override
            public Object deserialize(JsonParser parser, DeserializationContext context) {
                JsonNode json = context.readTree(parser);
                try {
                    return types.read(json, type.getRawClass());
                } catch (RuntimeException e) {
                    throw ValueInstantiationException.from(parser, String.valueOf(e.getMessage()), type, e);
                }
            }
        }
    }
}

package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.value.DecodingException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of one protobuf message, one after the other; <a
 * href="https://protobuf.dev/programming-guides/encoding/">the encoding</a>. Confined to one thread.
 */
final class ProtobufWire {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;

    private final byte[] data;
    private final int end;
    private int position;
    private int field;
    private int type;
    private int start;
    private int length;
    private long number;

    /** Reads the message between two positions. */
    ProtobufWire(byte[] data, int position, int end) {
        this.data = data;
        this.position = position;
        this.end = end;
    }

    /** True if there is more to read. */
    boolean more() {
        return position < end;
    }

    /** Goes to the next field; false if there is none. */
    boolean next() {
        if (!more()) {
            return false;
        }
        long key = varintAtPosition();
        field = (int) (key >>> 3);
        type = (int) (key & 7);
        switch (type) {
            case VARINT -> number = varintAtPosition();
            case FIXED_64 -> skip(Long.BYTES);
            case BYTES -> skip((int) varintAtPosition());
            case FIXED_32 -> skip(Integer.BYTES);
            default -> throw new DecodingException("unknown protobuf wire type " + type);
        }
        return true;
    }

    private void skip(int count) {
        if (count < 0 || count > end - position) {
            throw new DecodingException("unexpected EOF in protobuf message");
        }
        start = position;
        length = count;
        position += count;
    }

    private long varintAtPosition() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (!more()) {
                throw new DecodingException("unexpected EOF in protobuf message");
            }
            byte next = data[position++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new DecodingException("protobuf integer overflow");
    }

    /** The number of the present field. */
    int field() {
        return field;
    }

    /** True if the present field is a string, bytes, a message, or packed numbers. */
    boolean isBytes() {
        return type == BYTES;
    }

    /** The present field as a whole number. */
    long varint() {
        return number;
    }

    /** The next of packed whole numbers, which have no field numbers between them. */
    long packedVarint() {
        return varintAtPosition();
    }

    /** The present field as a number of 64 bits. */
    double real() {
        if (length != Double.BYTES) {
            throw new DecodingException("unexpected EOF in protobuf message");
        }
        return ByteBuffer.wrap(data, start, length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getDouble();
    }

    /** The present field as bytes. */
    byte[] bytes() {
        return Arrays.copyOfRange(data, start, start + length);
    }

    /** The present field as a string. */
    String text() {
        return new String(data, start, length, StandardCharsets.UTF_8);
    }

    /** The present field as a message. */
    ProtobufWire message() {
        return new ProtobufWire(data, start, start + length);
    }
}
